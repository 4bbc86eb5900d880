// Values shown of an update of a conditional model, computed once from its phases: places, scales of colours, the first
// choice, the tables of the chosen unit, and the states of the units at any time.

import { ease, largest, sigma } from '../../draw/ink.js';
import { coinOpacity, nameOfUnit, drawnLayer } from '../../draw/network.js';
import { briefPixel, furthest, nameOfPixel } from '../choosing.js';
import { keyframeAt, sliceOf } from '../trace.js';

export const numbersOfConditional = (trace, lab) => {
  const { phases, models, shape } = trace, [nv, nh] = models[0].W.dims, nx = models[0].W_vx.dims[1];
  const { rate, tolerance } = trace.values, given = phases[0], clean = given.v, { x } = given, same = nx === nv;
  const find = (...kinds) => phases.findIndex(({ kind }) => kinds.includes(kind));
  const [clamped, gap, end, bonus] = [find('clamped'), find('difference', 'error'), find('free'), find('augmented')];
  const layered = clamped >= 0, free = phases[end], moved = phases.at(-1);
  const columns = shape ? shape[1] : Math.min(nv, 8), inputs = same ? columns : Math.min(nx, 8);
  const most = Object.fromEntries(['W', 'W_vx', 'W_hx'].map((name) => [name, {
    W: largest(models.map((model) => model[name].most)),
    G: largest([phases.at(-1)[name].most / rate]) }]));
  const biases = largest(given.b, bonus < 0 ? [] : phases[bonus].b);

  // Units chosen at first: those whose clamped and free values differ most, in the row or else in the mini-batch.
  const initialOf = (row, bias) => furthest(largest(row) > .01 ? row : bias);
  const initial = { v: initialOf(free.v.map((value, q) => value - clean[q]), moved.b_v),
    h: layered ? initialOf(free.h.map((value, j) => value - free.data_h[j]), moved.b_h) : 0 };
  const steepest = (name) => moved[name].missing ? undefined : furthest(moved[name]);

  // -- the choice -----------------------------------------------------------------------------------------
  const nameOfInput = (k) => same ? nameOfPixel(trace, k) : `number ${k + 1}`;
  const briefInput = (k) => `x ${same ? briefPixel(trace, k) : k + 1}`;
  const unitOf = ({ pick, index } = lab.chosen) =>
    ({ h: index, w: index % nh, g: Math.floor(index / nx) })[pick];
  const pixelOf = ({ pick, index } = lab.chosen) =>
    ({ v: index, w: Math.floor(index / nh), i: Math.floor(index / nx) })[pick];
  const inputOf = ({ pick, index } = lab.chosen) => 'ig'.includes(pick) ? index % nx : undefined;

  // -- the tables -----------------------------------------------------------------------------------------
  const line = (where, i, name, axis, k) => sliceOf(trace, where, i, name, axis, 0, k, lab.redraw);
  const column = (where, i, name, j) => sliceOf(trace, where, i, name, 'h', 1, j, lab.redraw);
  // Weights that the tables show: a hidden unit's to the pixels, or those of the input to a pixel or a hidden unit.
  const subject = () => {
    const { pick } = lab.chosen, [j, q] = [unitOf(), pixelOf()];
    if (pick === 'h' || pick === 'w') return { name: 'W', part: 'W', wide: columns, mark: q, of: nameOfUnit(j),
      to: shape ? 'the pixels' : 'the columns', get: (where, i, name) => column(where, i, name, j) };
    const [name, axis, k] = pick === 'g' ? ['W_hx', 'h', j] : ['W_vx', 'v', q];
    return { name, part: name.slice(2), wide: inputs, mark: inputOf(), to: 'the input',
      of: pick === 'g' ? nameOfUnit(j) : nameOfPixel(trace, q),
      get: (where, i, array) => line(where, i, array, axis, k) };
  };
  const gaps = new WeakMap();
  const minus = (a, b) => {
    if (!a || !b) return undefined;
    if (!gaps.has(a)) gaps.set(a, Float32Array.from(a, (value, k) => value - b[k]));
    return gaps.get(a);
  };
  // A pixel's own input outweighs all others: its weights are drawn on the scale of the others.
  const scaleFor = (name, q) => {
    if (name !== 'W_vx' || !same) return most[name].W;
    const lines = models.map((_, m) => sliceOf(trace, 'models', m, name, 'v', 0, q, lab.redraw));
    return largest(...lines.filter(Boolean).map((weights) => weights.map((w, k) => k === q ? 0 : w)));
  };
  // The four tables in phase i: [name, numbers or undefined, limit].
  const tables = (i) => {
    const { name, part, get } = subject(), { at } = phases[i], late = i >= gap;
    const [a, b] = late ? [get('phases', gap, `data_${part}`), get('phases', gap, `model_${part}`)] : [];
    return [['clamped', a, 1], ['− free', b, 1], ['= G', minus(a, b), most[name].G],
      [at ? 'new weights' : 'weights', get('models', at, name), scaleFor(name, pixelOf())]];
  };
  const priorV = given.b.map(sigma), priorH = given.c.map(sigma);
  const lured = bonus < 0 ? priorV : phases[bonus].b.map(sigma);
  const unlike = minus(clean, free.v);
  // The beliefs, or the state, at the beginning of phase i.
  const before = (i) => {
    for (let k = i - 1; k >= 0; k--) {
      const { kind, v, h } = phases[k];
      if (v && kind !== 'given' && kind !== 'clamped') return { v, h };
    }
    return { v: phases[i].kind === 'hidden' ? clean : bonus >= 0 && i > bonus ? lured : priorV, h: priorH };
  };
  const blend = (from, to, f) => f <= 0 ? from : f >= 1 ? to
    : Float32Array.from(to, (value, k) => from[k] + (value - from[k]) * f);

  // Values of the units at the share f of phase i; flow : the layer that messages come from: x, v or h.
  const scene = (i, f) => {
    const phase = phases[i], { kind } = phase;
    if (phase.folded) {
      const old = before(i), frame = keyframeAt(phase.keyframes, f);
      return { v: frame.v ?? old.v, h: frame.h ?? old.h, name: 'the model' };
    }
    if (kind === 'given') {
      const g = ease(f, .45, .8), nothing = priorV.map(() => 0);
      return { v: blend(nothing, priorV, g), h: priorH.map((p) => p * g), flow: 'x',
        name: 'from the input alone' };
    }
    if (kind === 'clamped') {
      return { v: clean, h: blend(priorH, free.data_h, ease(f, .45, .8)), flow: 'v', name: 'the clean row, clamped' };
    }
    const old = before(i), name = 'the model';
    if (kind === 'hidden') {
      const h = drawnLayer(f, undefined, phase.p, phase.h);
      return { v: phase.v, h, u: phase.u, shown: coinOpacity(f), flow: 'v', name };
    }
    if (kind === 'visible' || kind === 'start') {
      const v = drawnLayer(f, old.v, phase.p, phase.v);
      return { v, h: phase.h ?? priorH, flow: kind === 'start' ? 'x' : 'h', name };
    }
    if (kind === 'augmented') return { v: blend(priorV, lured, ease(f, .4, .8)), h: priorH, name: 'from the biases' };
    if (kind === 'begin') return { v: phase.v, h: phase.h, flow: 'x', name };
    if (kind === 'iteration') {
      return { v: blend(old.v, phase.v, ease(f, .25, .45)), h: blend(old.h, phase.h, ease(f, .75, .95)), name,
        flow: f < .5 ? 'h' : 'v', g: f < .5 ? ease(f, .02, .4) : ease(f, .5, .85) };
    }
    if (kind === 'free') {
      const g = ease(f, .1, .5);
      return { v: blend(old.v, free.v, g), h: free.h && blend(old.h ?? free.h, free.h, g), name: 'the model’s output' };
    }
    return kind === 'energy' ? { v: old.v, h: old.h ?? priorH, name: 'the last sample' }
      : { v: free.v, h: free.h, name: 'the model’s output' };
  };
  return { nv, nh, nx, x, rate, tolerance, given, clean, same, layered, free, moved, clamped, gap, end, bonus,
    columns, inputs, most, biases, initial, steepest, nameOfInput, briefInput, unitOf, pixelOf, inputOf, line,
    column, subject, scaleFor, tables, priorV, priorH, unlike, before, scene };
};
