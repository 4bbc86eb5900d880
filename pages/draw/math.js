// Typesetting of equations.

// Typeset an equation in the library's notation: x_ij and x^2 are small, sigma is a Greek letter.
const GREEK = { sigma: 'σ', sum: 'Σ', theta: 'θ', eta: 'η', mu: 'μ', lambda: 'λ', nu: 'ν', alpha: 'α', beta: 'β',
  epsilon: 'ε', Phi: 'Φ' };
export const mathIn = (host, text) => {
  const plain = text.replaceAll('<-', '←').replaceAll('<=', '≤').replaceAll('>=', '≥')
    .replaceAll(/<([^<>]+)>/g, '⟨$1⟩').replaceAll("'", '′').replaceAll(' - ', ' − ').replaceAll(/([=(^,] ?)-/g, '$1−')
    .replaceAll(/\b[A-Za-z]+(?=\b|_)/g, (name) => GREEK[name] ?? name);
  host.replaceChildren(...plain.split(/([_^](?:\((?:[^()]|\([^()]*\))*\)|[\w−]+))/).map((piece) => {
    if (!/^[_^]./.test(piece)) return document.createTextNode(piece);
    const small = document.createElement(piece[0] === '_' ? 'sub' : 'sup');
    mathIn(small, piece[1] === '(' ? piece.slice(2, -1) : piece.slice(1));
    return small;
  }));
};
