// Three units of a Boltzmann machine: their couplings, and a line for each of their eight states.

import { made, styled, svg } from '../draw/elements.js';
import { mirrorPicture } from '../draw/mirror.js';

await styled(new URL('./three_units.css', import.meta.url));
const FINE = .1;                                  // the step of a slider
const POINTS = 100;                               // most points of a curve, which is part of a message
const UNITS = 3, PAIRS = [[0, 1], [0, 2], [1, 2]], SUBS = '₁₂₃';
const STATES = [...Array(2 ** UNITS).keys()].map((k) => [4, 2, 1].map((bit) => Number((k & bit) > 0)));
const FUNCTIONS = STATES.map((x) => [...x, ...PAIRS.map(([i, j]) => x[i] * x[j])]);

const sum = (values) => values.reduce((all, each) => all + each, 0);
const text = (value, digits = 2) =>                // never −0.0
  (Math.abs(value) < .5 * 10 ** -digits ? 0 : value).toFixed(digits).replace('-', '−');
const called = (x) => x.join('');

// Energies E, exp(-E), their sum and the probabilities under parameters theta: biases, then couplings.
const lawOf = (theta) => {
  const energies = FUNCTIONS.map((f) => -sum(f.map((each, k) => each * theta[k])));
  const unnormalised = energies.map((energy) => Math.exp(-energy)), Z = sum(unnormalised);
  return { energies, unnormalised, Z, p: unnormalised.map((each) => each / Z) };
};
const likelihood = (theta, shares) => {
  const { energies, Z } = lawOf(theta);
  return -sum(shares.map((share, i) => share * energies[i])) - Math.log(Z);
};
const means = (shares) => FUNCTIONS[0].map((_, k) => sum(shares.map((share, i) => share * FUNCTIONS[i][k])));
const gapOf = (counts, p) => {
  const all = sum(counts);
  return Math.max(...p.map((each, i) => Math.abs(each - counts[i] / all)));
};

// -- what is drawn -----------------------------------------------------------------------------------

// Units and pairs: their places, and those of their numbers.
const CORNERS = [[60, 24], [20, 92], [100, 92]], BIASES = [[92, 28], [20, 120], [100, 120]];
const BESIDE = [[30, 56], [90, 56], [60, 106]], ANCHORS = ['end', 'start', 'middle'];
const network = ({ theta, at, drawn }) => {
  const number = (value, [x, y], anchor = 'middle') =>
    svg('text', { x, y, 'text-anchor': anchor, class: 'number' }, text(value, 1));
  const lines = PAIRS.flatMap(([i, j], k) => {
    const w = theta[UNITS + k], [[x1, y1], [x2, y2]] = [CORNERS[i], CORNERS[j]];
    const width = .5 + 1.5 * Math.abs(w), dash = w < 0 ? '5 4' : 'none';
    const sign = { class: w < 0 ? 'less' : 'more', 'stroke-dasharray': dash };
    const line = svg('line', { x1, y1, x2, y2, 'stroke-width': width, ...sign });
    return Math.abs(w) < .05 ? [line] : [line, number(w, BESIDE[k], ANCHORS[k])];
  });
  const classOf = (i) => `${at?.[i] ? 'on' : 'off'} ${i === drawn ? 'drawn' : ''}`;
  const units = CORNERS.map(([x, y], i) => svg('g', { class: classOf(i) },
    svg('circle', { cx: x, cy: y, r: 15 }),
    svg('text', { x, y: y + 5, 'text-anchor': 'middle' }, i + 1)));
  const biases = BIASES.map((where, i) => number(theta[i], where));
  return svg('svg', { viewBox: '-8 0 136 124', class: 'net', 'aria-hidden': 'true' }, ...lines, ...units, ...biases);
};

const curve = (climbed, top) => {
  const values = climbed.map(([, value]) => value), n = Math.max(1, climbed.at(-1)[0]);
  const W = 280, H = 110, low = Math.min(...values), high = Math.max(top, ...values);
  const y = (v) => 6 + (H - 12) * (high - v) / (high - low || 1);
  const points = climbed.map(([step, v]) => `${6 + (W - 12) * step / n},${y(v)}`).join(' ');
  return svg('svg', { viewBox: `0 0 ${W} ${H}`, class: 'curve', role: 'img',
    'aria-label': `Log-likelihood from ${text(values[0])} to ${text(values.at(-1))}; at most ${text(top)}.` },
    svg('line', { x1: 0, x2: W, y1: y(top), y2: y(top), class: 'top' }), svg('polyline', { points, class: 'climb' }));
};

const COLUMNS = { energy: 'Energy E', unnormalised: 'Unnormalised probability exp(−E)', probability: 'Probability' };
const states = (lab) => {
  const { data, law, counts, at, most } = lab, n = sum(counts);
  const shown = data.columns, head = made('tr', '');
  for (const name of ['State', ...shown.map((each) => COLUMNS[each]), ...(n ? ['Share of draws'] : []),
    ...(data.rows ? ['Share of data'] : [])]) head.append(made('th', '', { scope: 'col', textContent: name }));
  const cell = (value, share, kind, digits) => {                 // energies have both signs: from the middle
    const bar = made('span', `bar ${kind}`), both = kind === 'energy', width = 100 * Math.min(1, Math.abs(share));
    bar.style.width = `${both ? width / 2 : width}%`;
    if (both) bar.style.marginLeft = `${share < 0 ? 50 - width / 2 : 50}%`;
    const track = made('span', both ? 'track both' : 'track', {}, bar);
    return made('td', '', {}, made('span', 'number', { textContent: text(value, digits) }), track);
  };
  const body = STATES.map((x, i) => {
    const row = made('tr', at && called(at) === called(x) ? 'here' : '');
    row.append(made('th', '', { scope: 'row' }, made('span', 'squares', { ariaHidden: 'true' },
      ...x.map((on) => made('i', on ? 'on' : ''))), made('span', 'code', { textContent: called(x) })));
    if (shown.includes('energy')) row.append(cell(law.energies[i], law.energies[i] / most.energy, 'energy', 1));
    if (shown.includes('unnormalised')) {
      const longest = data.total ? most.Z : most.unnormalised;         // beside probabilities: both of one total
      row.append(cell(law.unnormalised[i], law.unnormalised[i] / longest, 'unnormalised', 2));
    }
    if (shown.includes('probability')) row.append(cell(law.p[i], law.p[i], 'probability', 3));
    if (n) row.append(cell(counts[i] / n, counts[i] / n, 'counted', 3));
    if (data.rows) row.append(cell(data.rows[i], data.rows[i], 'rows', 3));
    return row;
  });
  return made('table', 'states', {}, made('caption', 'unseen', { textContent: 'The eight states' }),
    made('thead', '', {}, head), made('tbody', '', {}, ...body));
};

// Draw the partition function as a bar that the states fill, one after the other; those with room have their names.
const NAMED = .07;                                // of the longest bar
const partition = ({ law, most }) => {
  const stack = made('div', 'stack', { ariaHidden: 'true' }, ...law.unnormalised.map((length, i) => {
    const title = called(STATES[i]), textContent = length < NAMED * most.Z ? '' : title;
    const part = made('span', '', { title, textContent });
    part.style.flexGrow = length;
    return part;
  }));
  stack.style.width = `${100 * Math.min(1, law.Z / most.Z)}%`;
  return made('div', 'partition', {}, made('p', '', { innerHTML: `Sum of all: <b>Z = ${text(law.Z)}</b>` }), stack);
};

const NAMES = [...[0, 1, 2].map((i) => `bias of unit ${i + 1} (b${SUBS[i]})`),
  ...PAIRS.map(([i, j]) => `coupling between units ${i + 1} and ${j + 1} (w${SUBS[i]}${SUBS[j]})`)];
const gradientOf = ({ data, law, theta }) => {
  const seen = means(data.rows), expected = means(law.p);
  const rows = theta.map((value, k) => {
    const slope = seen[k] - expected[k], way = Math.abs(slope) < .005 ? 'stays' : slope > 0 ? 'rises' : 'falls';
    return made('tr', '', { innerHTML: `<th scope="row">${NAMES[k]}</th><td>${text(seen[k])}</td>`
      + `<td>${text(expected[k])}</td><td>${text(value)}</td><td>${way}</td>` });
  });
  const head = ['Parameter', 'On in data', 'On in model', 'Value', 'Next step'];
  return made('table', 'pulls', {}, made('thead', '', {}, made('tr', '', {},
    ...head.map((name) => made('th', '', { scope: 'col', textContent: name })))), made('tbody', '', {}, ...rows));
};

// -- what is done ------------------------------------------------------------------------------------

// Largest values within reach of a slider: bars keep their scale for a whole step, so that they can be compared.
const furthest = ({ b, w, free, widest }) => {
  const theta = [...b, ...w], ends = free.flatMap((k) => [-widest, widest].map((end) => theta.with(k, end)));
  const laws = [theta, ...ends].map(lawOf), most = (numbers) => Math.max(...laws.flatMap(numbers));
  return { energy: Math.max(1, most(({ energies }) => energies.map(Math.abs))),
    unnormalised: most(({ unnormalised }) => unnormalised), Z: most(({ Z }) => Z) };
};
const newLab = (root, data) => ({ root, data, theta: [...data.b, ...data.w], counts: STATES.map(() => 0), at: null,
  drawn: null, draws: 0, early: null, turned: false, climbed: [], fell: false, most: furthest(data) });

const report = (lab) => lab.send('did', { of: lab.data.of, theta: lab.theta, turned: lab.turned, draws: lab.draws,
  early: lab.early, gap: lab.draws ? gapOf(lab.counts, lab.law.p) : null, climbed: lab.climbed.at(-1)?.[0] ?? -1,
  fell: lab.fell });

const MIRRORED = ['theta', 'counts', 'at', 'drawn', 'draws', 'early', 'turned', 'climbed', 'fell'];
const stateOf = (lab) => Object.fromEntries(MIRRORED.map((name) => [name, lab[name]]));
const publish = (lab) => lab.mirror.publish(stateOf(lab));

const drawUnits = (lab, times) => {
  lab.at ??= STATES[0].slice();
  for (let k = 0; k < times; k++) {
    const unit = Math.floor(UNITS * Math.random()), on = lab.at.with(unit, 1), off = lab.at.with(unit, 0);
    const place = (x) => Number.parseInt(called(x), 2), { p } = lab.law;
    lab.at = Math.random() < p[place(on)] / (p[place(on)] + p[place(off)]) ? on : off;
    lab.drawn = unit;
    lab.counts[place(lab.at)]++;
    if (++lab.draws === lab.data.few) lab.early = gapOf(lab.counts, p);
  }
};

const learn = (lab, times) => {
  const { rows, rate } = lab.data;
  for (let k = 0; k < times; k++) {
    const slope = means(rows).map((mean, i) => mean - means(lawOf(lab.theta).p)[i]);
    lab.theta = lab.theta.map((value, i) => value + rate * slope[i]);
    const [step, before] = lab.climbed.at(-1), value = likelihood(lab.theta, rows);
    lab.fell ||= value < before - 1e-9;
    const now = step + 1, apart = 2 ** Math.max(0, Math.ceil(Math.log2(now / POINTS)));
    lab.climbed = [...lab.climbed, [now, value]].filter(([k]) => k % apart === 0 || k === now);
  }
};

const redraw = (lab) => {
  const { root, data, theta } = lab;
  lab.law = lawOf(theta);
  if (data.rows && !lab.climbed.length) lab.climbed = [[0, likelihood(theta, data.rows)]];
  root.querySelector('.picture').replaceChildren(network(lab));
  const shown = [states(lab)];
  if (data.total) shown.unshift(partition(lab));
  if (data.rows) {
    const most = sum(data.rows.filter(Boolean).map((share) => share * Math.log(share)));
    shown.push(made('div', 'climbing', {}, made('p', '', { innerHTML:
      `Log-likelihood: <b>${text(lab.climbed.at(-1)[1])} nats</b> after ${Number(lab.climbed.at(-1)[0])} steps; `
      + `at most ${text(most)} (dashed)` }), curve(lab.climbed, most)), gradientOf(lab));
  }
  root.querySelector('.shown').replaceChildren(...shown);
  root.querySelectorAll('input').forEach((input) => {
    const value = theta[input.dataset.k];
    input.value = value;
    input.parentElement.querySelector('output').textContent = text(value, 1);
  });
  const status = root.querySelector('.status');
  if (lab.draws) status.textContent = `${lab.draws.toLocaleString('en')} ${lab.draws === 1 ? 'draw' : 'draws'}. Unit ${
    lab.drawn + 1} is ${lab.at[lab.drawn] ? 'on' : 'off'}. Largest error of the shares: ${
    text(gapOf(lab.counts, lab.law.p), 3)}.`;
};

const actsOf = ({ few, many, long }) => ({ sample: [['Draw one unit', (lab) => drawUnits(lab, 1)],
  ...[few, many].map((times) => [`Draw ${times.toLocaleString('en')}`, (lab) => drawUnits(lab, times)])],
  learn: [['Learn one step', (lab) => learn(lab, 1)], [`Learn ${long} steps`, (lab) => learn(lab, long)]] });

const build = (lab) => {
  const { root, data } = lab;
  const sliders = data.free.map((k) => {
    const range = { min: -data.widest, max: data.widest, step: FINE, ariaLabel: NAMES[k] };
    const input = made('input', '', { type: 'range', ...range });
    input.dataset.k = k;
    input.oninput = () => {
      lab.theta = lab.theta.with(k, Number(input.value));
      Object.assign(lab, { turned: true, counts: STATES.map(() => 0), at: null, drawn: null, draws: 0,
        early: null });
      redraw(lab);
      publish(lab);
    };
    input.onchange = () => report(lab);
    const name = NAMES[k][0].toUpperCase() + NAMES[k].slice(1);
    return made('label', '', {}, made('span', '', { textContent: name }), input, made('output', ''));
  });
  const buttons = (actsOf(data)[data.act] ?? []).map(([textContent, act]) => made('button', '', { type: 'button',
    textContent, onclick: () => { act(lab); redraw(lab); publish(lab); report(lab); } }));
  root.replaceChildren(made('div', 'left', {}, made('div', 'picture'), ...sliders, made('div', 'acts', {}, ...buttons),
    made('p', 'status', { role: 'status', hidden: data.act !== 'sample' })), made('div', 'shown'));
};

export const begin = (root) => {
  let lab;
  return { set(data, _send, keep) {
    if (lab?.data.of !== data.of) {
      lab?.mirror.end();
      const here = lab = Object.assign(newLab(root, data), data.state);
      build(lab);
      redraw(lab);
      lab.mirror = mirrorPicture(`three ${data.of}`, (state) => { Object.assign(here, state); redraw(here); });
    }
    lab.send = keep;
  }, saved: () => ({ data: { ...lab.data, state: stateOf(lab) } }), end: () => lab?.mirror.end() };
};
