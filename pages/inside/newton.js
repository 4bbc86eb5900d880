// A run of L-BFGS: all parameters as a matrix, their slopes beside them, the curve, and the way of the chosen one.

const RUNNING = { search: 2.2, new: 2.5 };
const SOME_NAMES = 14;                            // columns whose names stand beside the matrix
const SMALL_SLOPE = .01;                          // a share of the largest

// The parameters by their places in a matrix: each column's own in the diagonal, one for each of its values but one,
// those of two columns where these meet; first the own ones, then pairs, by columns and then by values.
const placesOf = (sizes, titled) => {
  const own = sizes.flatMap((size, column) => Array.from({ length: size }, (_, value) => ({ column,
    name: titled(column) + (size > 1 ? ` ${value + 1}` : '') })));
  const terms = own.map(({ name }, k) => ({ name, cells: [[k, k]] })), begins = sizes.map((_, column) =>
    own.findIndex((each) => each.column === column));
  for (let one = 0; one < sizes.length; one++) for (let other = one + 1; other < sizes.length; other++) {
    for (let a = 0; a < sizes[one]; a++) for (let b = 0; b < sizes[other]; b++) {
      const [k, l] = [begins[one] + a, begins[other] + b];
      terms.push({ name: `${own[k].name} and ${own[l].name}`, cells: [[k, l], [l, k]] });
    }
  }
  return { own, terms };
};

DRAWN.newton = (trace, lab) => {
  const { phases, models, names, shape } = trace, { b, cardinalities } = models[0], last = phases.at(-1);
  const titled = (k) => names?.[k] ?? (shape ? briefPixel(trace, k) : `v${k + 1}`);
  const { own, terms } = placesOf(b ? Array(b.length).fill(1) : Array.from(cardinalities, (size) => size - 1), titled);
  const side = own.length, termAt = new Map(terms.flatMap(({ cells }, n) => cells.map(([r, c]) => [r * side + c, n])));
  const looks = phases.flatMap((phase) => phase.kind !== 'search' ? [] : phase.folded ? phase.looks : [phase]);
  const most = Object.fromEntries(['theta', 'slope'].map((key) => [key, largest(...looks.map((look) => look[key]))]));
  const [xs, ys] = [[...last.curve.keys()], [...last.curve]];
  const matrices = new Map();
  const matrixOf = (values) => {
    if (!matrices.has(values)) {
      const cells = new Float64Array(side * side);
      termAt.forEach((n, cell) => { cells[cell] = values[n]; });
      matrices.set(values, cells);
    }
    return matrices.get(values);
  };
  const lookIn = (i, f) => {
    const phase = phases[i];
    return phase.kind !== 'search' ? looks.at(-1) : !phase.folded ? phase
      : lookAlong(phase.looks, phase.looks.map(({ value }) => value[0]), f);
  };

  const picks = [['p', 'parameter', terms.length, (n) => terms[n].name]];
  const steepest = looks[0].slope.reduce((best, value, n, all) => Math.abs(value) > Math.abs(all[best]) ? n : best, 0);
  lab.chosen ??= { pick: 'p', index: steepest };
  const chosen = () => Math.min(lab.chosen.index, terms.length - 1);
  const canvas = made('canvas', 'picture', { tabIndex: 0, role: 'application' }), selector = lookAt(lab, picks);
  const stage = made('div', 'stage', {}, canvas, selector.line);

  let place;
  const layout = (width) => {
    const left = side <= SOME_NAMES ? clamp(width * .08, 28, 60) : 0, gap = 16, top = left ? 60 : 44;
    const wide = Math.min((width - left - gap - 4) / 2, 300), curve = top + wide + 34;
    place = { width, left, wide, top, xs: [left + 1, left + 1 + wide + gap], curve, height: curve + 118 };
  };
  const drawMatrix = (ink, theme, name, values, limit, x) => {
    const { top, wide, left } = place, cell = wide / side, cells = matrixOf(values);
    const soft = { size: 11, colour: theme.soft };
    say(ink, theme, name, x, 10, { weight: 600, size: 13, room: wide });
    say(ink, theme, scaleOf(limit), x, 28, { ...soft, room: wide });
    inSigns(ink, theme, cells, side, x, top, wide, limit);
    Object.assign(ink, { strokeStyle: theme.soft, lineWidth: 1 });         // the diagonal: the columns' own
    own.forEach((each, k) => {
      if (left) say(ink, theme, each.name, x + (k + .5) * cell, top - 9, { ...soft, align: 'center', room: cell });
      if (cell > 10) ink.strokeRect(x + k * cell + .5, top + k * cell + .5, cell - 1, cell - 1);
    });
    terms[chosen()].cells.forEach(([r, c]) => frameCell(ink, theme, side, x, top, wide, r * side + c));
    if (cell < 40) return;
    cells.forEach((value, k) => say(ink, theme, told(value), x + (k % side + .5) * cell,
      top + (Math.floor(k / side) + .5) * cell, { size: 11, align: 'center', colour: inkOn(value, limit, theme) }));
  };
  const draw = (i, f, theme) => {
    const { width, height, left, wide, top, curve } = place, look = lookIn(i, f), n = look.iteration[0];
    const ink = sharp(canvas, width, height);
    drawMatrix(ink, theme, b ? 'biases, couplings' : 'parameters', look.theta, most.theta, place.xs[0]);
    drawMatrix(ink, theme, 'slopes: data − model', look.slope, most.slope, place.xs[1]);
    if (left) own.forEach(({ name }, k) => say(ink, theme, name, left - 6, top + (k + .5) * wide / side,
      { size: 11, colour: theme.soft, align: 'right', room: left - 6 }));
    plotIn(ink, theme, { x: 1, y: curve, width: width - 4, height: 86, xs, ys, at: [n, ys[n]], left: told(ys[n], 3),
      title: `${b ? 'log-pseudo-likelihood' : 'log-likelihood'}, nats per row: the higher, the better`,
      right: `iteration ${n} of ${xs.at(-1)}` });
    selector.show();
  };

  const sum = (i) => {
    const n = chosen(), look = lookIn(i, 1), at = look.iteration[0], { name, cells } = terms[n];
    const [data, model, slope, now] = ['data', 'model', 'slope', 'theta'].map((key) => look[key][n]);
    const way = Math.abs(slope) < SMALL_SLOPE * most.slope ? 'They say nearly the same of it: it rests'
      : slope > 0 ? 'The data say more of it: it rises'
        : 'The data say less of it: it falls';
    const path = looks.map(({ theta }) => theta[n]), seen = looks.filter(({ iteration }) => iteration[0] <= at).length;
    const curve = { height: 124, text: `its way from ${told(path[0])} to ${told(path.at(-1))}`,
      draw: (ink, theme, width, y) => plotIn(ink, theme, { x: 1, y: y + 22, width: width - 4, height: 74, at: [at, now],
        xs: looks.map(({ iteration }) => iteration[0]), ys: path, reach: seen / looks.length,
        title: 'its way along the run', left: `starts at ${told(path[0])}`, right: `ends at ${told(path.at(-1))}` }) };
    const what = !b ? 'parameter' : cells.length > 1 ? 'coupling' : 'bias';
    const sides = [{ name: 'data', value: data }, { name: '− model', value: -model }];
    const said = { title: `The ${what} of ${name}, after iteration ${at}`,
      blocks: [{ terms: sides, result: 'slope' }, curve],
      verdict: `Data ${told(data, 3)}, model ${told(model, 3)}. ${way}. Now it is ${told(now)}.` };
    canvas.ariaLabel = `All parameters and their slopes. ${said.title}: ${said.verdict} Arrow keys choose another.`;
    return said;
  };

  canvas.onclick = ({ offsetX, offsetY }) => {
    const { top, wide } = place, cell = wide / side, left = place.xs.find((x) => offsetX >= x && offsetX < x + wide);
    const r = Math.floor((offsetY - top) / cell), c = Math.floor((offsetX - left) / cell), n = termAt.get(r * side + c);
    if (left !== undefined && r >= 0 && n !== undefined) lab.choose({ pick: 'p', index: n, cell: [r, c] });
  };
  canvas.onkeydown = (event) => {
    const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!by) return;
    event.preventDefault();
    const inside = (k) => k >= 0 && k < side;
    let [r, c] = lab.chosen.cell ?? terms[chosen()].cells[0];
    do { r += by[0]; c += by[1]; } while (inside(r) && inside(c) && !termAt.has(r * side + c));   // past empty places
    if (inside(r) && inside(c)) lab.choose({ pick: 'p', index: termAt.get(r * side + c), cell: [r, c] });
  };

  const icon = (ink, i, x, y, wide, theme) => {
    if (phases[i].kind === 'new') return 'end';
    inSigns(ink, theme, matrixOf(lookIn(i, 1).theta), side, x, y, wide, most.theta);
    return '';
  };
  return { seconds: phases.map(({ kind }) => RUNNING[kind]), stage, picks, rows: false, layout, draw, icon, sum };
};
