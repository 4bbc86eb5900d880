// A run of L-BFGS: all parameters as a matrix, their slopes beside them, the curve, and the way of the chosen one.

import { made } from '../../frames/elements.js';
import { largest, pointedAt, sharp, fixed } from '../../frames/ink.js';
import { matricesOf } from '../matrices.js';
import { briefPixel, furthest, lookAt } from '../network.js';
import { inSigns, plotIn, searchOf } from '../plots.js';

const RUNNING = { search: 2.2, new: 2.5 };
const SMALL_SLOPE = .01;                          // a share of the largest

export const view = (trace, lab) => {
  const { phases, models, names, shape } = trace, { b, cardinalities } = models[0], last = phases.at(-1);
  const titled = (k) => names?.[k] ?? (shape ? briefPixel(trace, k) : `v${k + 1}`);
  const matrices = matricesOf(b ? Array(b.length).fill(1) : Array.from(cardinalities, (size) => size - 1), titled);
  const { terms, side } = matrices;
  const { keyframes, keyframeIn } = searchOf(phases, 'value');
  const most = Object.fromEntries(['theta', 'slope'].map((key) => [key,
    largest(...keyframes.map((frame) => frame[key]))]));
  const [xs, ys] = [[...last.curve.keys()], [...last.curve]];

  const picks = [['p', 'parameter', terms.length, (n) => terms[n].name]];
  lab.chosen ??= { pick: 'p', index: furthest(keyframes[0].slope) };
  const chosen = () => Math.min(lab.chosen.index, terms.length - 1);
  const canvas = made('canvas', 'picture', { tabIndex: 0, role: 'application' }), selector = lookAt(lab, picks);
  const stage = made('div', 'stage', {}, canvas, selector.line);

  let place;
  const layout = (width) => {
    const both = matrices.layout(width), curve = both.below + 34;
    place = { ...both, width, curve, height: curve + 118 };
  };
  const draw = (i, f, theme) => {
    const { width, height, curve } = place, frame = keyframeIn(i, f), n = frame.iteration[0];
    const ink = sharp(canvas, width, height);
    [[b ? 'biases, couplings' : 'parameters', 'theta'], ['slopes: data − model', 'slope']].forEach(([name, key], k) =>
      matrices.draw(ink, theme, place, k, { name, values: frame[key], limit: most[key], chosen: chosen() }));
    matrices.drawNames(ink, theme, place);
    plotIn(ink, theme, { x: 1, y: curve, width: width - 4, height: 86, xs, ys, at: [n, ys[n]], left: fixed(ys[n], 3),
      title: `${b ? 'log-pseudo-likelihood' : 'log-likelihood'}, nats per row: the higher, the better`,
      right: `iteration ${n} of ${xs.at(-1)}` });
    selector.show();
  };

  const sum = (i) => {
    const n = chosen(), frame = keyframeIn(i, 1), at = frame.iteration[0], { name, cells } = terms[n];
    const [data, model, slope, now] = ['data', 'model', 'slope', 'theta'].map((key) => frame[key][n]);
    const way = Math.abs(slope) < SMALL_SLOPE * most.slope ? 'They say nearly the same of it: it rests'
      : slope > 0 ? 'The data say more of it: it rises'
        : 'The data say less of it: it falls';
    const path = keyframes.map(({ theta }) => theta[n]);
    const seen = keyframes.filter(({ iteration }) => iteration[0] <= at).length;
    const curve = { height: 124, text: `its way from ${fixed(path[0])} to ${fixed(path.at(-1))}`,
      draw: (ink, theme, width, y) => plotIn(ink, theme, { x: 1, y: y + 22, width: width - 4, height: 74, at: [at, now],
        xs: keyframes.map(({ iteration }) => iteration[0]), ys: path, reach: seen / keyframes.length,
        title: 'its way along the run', left: `starts at ${fixed(path[0])}`,
        right: `ends at ${fixed(path.at(-1))}` }) };
    const what = !b ? 'parameter' : cells.length > 1 ? 'coupling' : 'bias';
    const sides = [{ name: 'data', value: data }, { name: '− model', value: -model }];
    const said = { title: `The ${what} of ${name}, after iteration ${at}`,
      blocks: [{ terms: sides, result: 'slope' }, curve],
      verdict: `Data ${fixed(data, 3)}, model ${fixed(model, 3)}. ${way}. Now it is ${fixed(now)}.` };
    canvas.ariaLabel = `All parameters and their slopes. ${said.title}: ${said.verdict} Arrow keys choose another.`;
    return said;
  };

  canvas.onclick = (event) => {
    const found = matrices.hit(place, ...pointedAt(event));
    if (found) lab.choose(found);
  };
  canvas.onkeydown = (event) => {
    const found = matrices.beside({ ...lab.chosen, index: chosen() }, event.key);
    if (found !== undefined) event.preventDefault();
    if (found) lab.choose(found);
  };

  const icon = (ink, i, x, y, wide, theme) => {
    if (phases[i].kind === 'new') return 'end';
    inSigns(ink, theme, matrices.cellsOf(keyframeIn(i, 1).theta), side, x, y, wide, most.theta);
    return '';
  };
  return { seconds: phases.map(({ kind }) => RUNNING[kind]), stage, picks, rows: false, layout, draw, icon, sum };
};
