// What is seen of an insertion of Frank-Wolfe, made of its phases once: how counts, biases and means stand after each,
// what pulls the new unit's weights, and how strong colours are.

import { largest } from '../../frames/ink.js';
import { nameOfPixel, nameOfUnit } from '../network.js';
import { searchOf } from '../plots.js';
import { taken } from '../trace.js';

export const numbersOfInsertion = (trace, redraw) => {
  const { phases, models, shape } = trace;
  const one = (kind) => phases.find((phase) => phase.kind === kind);
  const [samples, present, start, found, insert, leave, last] =
    ['samples', 'present', 'start', 'found', 'insert', 'leave', 'new'].map(one);
  const nv = samples.data_mean.length, columns = shape ? shape[1] : Math.min(nv, 8);
  // The places of units are those before any leaves; the new one is the last, also where it does not come.
  const through = phases[phases.indexOf(last) - 1].at, many = models[through].units.dims[0];
  const nh = insert ? many : many + 1, fresh = nh - 1, gone = new Set(leave?.units ?? []);
  const { keyframes, keyframeIn } = searchOf(phases, 'objective');
  const over = (i, kind) => one(kind) !== undefined && i > phases.indexOf(one(kind));

  // What is made of an array is made once, so that its picture is painted once.
  const memo = new Map();
  const once = (key, make) => {
    if (!memo.has(key)) memo.set(key, make());
    return memo.get(key);
  };
  const rowsOf = (matrix) => once(matrix, () => Array.from({ length: matrix.dims[0] },
    (_, k) => matrix.subarray(k * matrix.dims[1], (k + 1) * matrix.dims[1])));
  const pixelsOf = (w) => once(w, () => w.subarray(0, nv));
  const small = new Map();                        // apart, for they are painted on another scale
  const smallOf = (w) => small.get(w) ?? small.set(w, w.slice(0, nv)).get(w);
  const weightsOf = (j) => {
    if (j === fresh) return found.unit;
    const key = `unit ${j}`, w = memo.get(key) ?? taken(trace, 'models', through, 'units', 'h', 0, j, redraw);
    if (w) memo.set(key, w);
    return w;
  };

  const meansOf = ({ model_mean: mean, missing, off, agree }) => ({ mean, missing, off: off[0], agree: agree[0] });
  const MOVES = {
    line: ({ unit, after }, counts) => { counts[unit[0]] = after[0]; },
    biases: (frame, counts) => {
      if (frame.counts) counts.set(frame.counts);
      return { b: frame.after, ...meansOf(frame) };
    },
    counts: (frame, counts) => { counts.set(frame.counts); return { b: frame.b }; },
    insert: ({ after }, counts) => counts.set(after),
    shrink: ({ after }, counts) => counts.set(after),
    leave: ({ units }, counts) => units.forEach((j) => { counts[j] = 0; }),
    new: (frame, counts) => {
      [...Array(many).keys()].filter((j) => !gone.has(j)).forEach((j, k) => { counts[j] = frame.counts[k]; });
      return { b: models.at(-1).b, ...meansOf(frame), rows: frame };
    },
  };
  const moved = (now, frame) => {
    const counts = now.counts.slice();
    return { ...now, counts, ...MOVES[frame.kind]?.(frame, counts) };
  };
  const stand = [];
  const first = Float64Array.from({ length: nh }, (_, j) => present.count[j] ?? 0);
  let now = { counts: first, b: models[0].b, ...meansOf(samples), rows: samples };
  for (const phase of phases) {
    now = (phase.folded ? phase.keyframes : [phase]).reduce(moved, now);
    stand.push(now);
  }
  const agree = stand.every((each) => each.agree);
  const most = { missing: agree ? 1 : Math.max(...stand.map(({ off }) => off)), agree,
    b: largest(...stand.map(({ b }) => b)),
    count: largest(...stand.map(({ counts }) => counts)),
    W: Math.max(models[through].units.most ?? 0, largest(found.unit)),
    pull: largest(...keyframes.flatMap((frame) => [frame.data_pull, frame.model_pull, frame.price_pull])),
    slope: largest(...keyframes.map(({ slope }) => slope)),
    share: largest(samples.data_weight, samples.model_weight) };
  return { samples, present, start, found, insert, nv, nh, columns, fresh, gone, keyframes, stand, most, over, once,
    rowsOf, pixelsOf, smallOf, weightsOf, keyframeIn, byChains: Boolean(samples.before),
    before: (i) => stand[Math.max(i - 1, 0)], called: (j) => j === fresh ? 'the new unit' : nameOfUnit(j),
    pixelName: (q) => q === nv ? 'its hidden bias' : nameOfPixel(trace, q) };
};
