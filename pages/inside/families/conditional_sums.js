// The arithmetic of an update of a conditional model: biases, messages, beliefs, and the new value of a weight.

import { asChance, isChance, strongest, fixed } from '../../draw/ink.js';
import { nameOfUnit } from '../../draw/network.js';
import { added, briefPixel, loadingSum, explainUnit, gridsOf, MOST_TERMS, nameOfPixel } from '../choosing.js';
import { plotIn } from '../../draw/plots.js';

// A block of a sum: a curve with one number marked; `line`, with its name, lies across, on a logarithmic scale or not.
// points : [[x, y]] in the order of x
const courseOf = ({ name, points, mark, line, log = false, low, high, ends }) => {
  const size = (y) => log ? Math.log10(Math.max(y, 1e-9)) : y, xs = points.map(([x]) => x), [from, to] = [xs[0], xs.at(-1)];
  const also = line ? [xs.map(() => size(line[1]))] : [], ys = points.map(([, y]) => size(y));
  const title = line ? `${name}; ${line[0]}, dashed` : name;
  return {
    height: 122, text: `${name}: ${points.map(([x, y]) => `${x}: ${Number(y.toPrecision(3))}`).join(', ')}`,
    draw: (ink, theme, width, y) => plotIn(ink, theme, { x: 46, y: y + 24, width: width - 62, height: 74, xs, ys, also,
      title, left: `${from}`, right: from === to ? '' : `${to}`, mark, low: [size(low), ends(low)],
      high: [size(high), ends(high)] }),
  };
};

export const sumsOfConditional = (trace, lab, numbers) => {
  const { phases, models } = trace;
  const { x, rate, tolerance, given, clean, same, layered, free, moved, gap, bonus, columns, most } = numbers;
  const { nameOfInput, briefInput, unitOf, pixelOf, inputOf, line, column, subject, tables, priorV, priorH,
    before } = numbers;

  // Terms of a unit before any message: its bias, the input's contribution, and the bonus.
  const ofBiases = (i, q) => {
    const row = line('models', 0, 'W_vx', 'v', q), bias = models[0].b_v[q], own = same && row ? row[q] * x[q] : 0;
    const more = bonus >= 0 && i >= bonus ? [{ name: 'bonus', value: 1 - 2 * clean[q] }] : [];
    const mine = same ? [{ name: `own input: ${x[q] > .5 ? 'on' : 'off'}`, value: own }] : [];
    return row && [{ name: 'bias b', value: bias }, ...mine,
      { name: same ? 'other inputs' : 'inputs', value: given.b[q] - bias - own }, ...more];
  };
  const ofHiddenBiases = (j) =>
    [{ name: 'bias c', value: models[0].b_h[j] }, { name: 'input', value: given.c[j] - models[0].b_h[j] }];
  const moving = (value) => `this row moves its bias ${value > 0 ? 'up' : 'down'}`;
  // Curves of a belief, and of the largest change of any, until phase i.
  const courses = (i, layer, k) => {
    const past = phases.slice(0, i + 1).flatMap((each) => each.folded ? each.keyframes : each.residuals ? [each] : []);
    const points = past.map((each) => [each.residuals.length, each[layer][k]]), { residuals } = phases[i];
    const mark = residuals.length, ends = (y) => Number(y.toPrecision(1)).toString();
    const belief = courseOf({ name: 'Belief that it is on, by iteration', points, mark, low: 0, high: 1, ends });
    if (!mark) return [];
    const low = Math.max(Math.min(tolerance || 1, ...residuals.filter((y) => y > 0)) / 2, 1e-6);
    return [belief, courseOf({ name: 'Largest change of a belief', mark, log: true, low, high: 1, ends,
      points: Array.from(residuals, (y, t) => [t + 1, y]), line: tolerance ? ['tolerance', tolerance] : undefined })];
  };
  // Belief of unit k of a layer: its biases, the messages of the other layer, and the log-odds of their sum.
  const beliefSums = (i, layer, k, name, first, from) => {
    const phase = phases[i], p = phase[layer][k], was = phase.residuals.length ? before(i)[layer][k] : undefined;
    const title = `Belief that ${name} is on`, array = `to_${layer}_W`;
    const messages = layer === 'v' ? line('phases', i, array, 'v', k) : column('phases', i, array, k);
    if (!messages) return loadingSum(title);
    const terms = Array.from(messages, (value, at) => ({ ...from(at), value })).filter(({ value }) => value);
    const sum = added(first, terms, { result: 'log-odds', field: phase[`field_${layer}`][k] });
    const [then, now] = [was ?? p, p].map(asChance);
    const words = was === undefined || phase.folded ? `on with belief ${now}`
      : `the belief that it is on went from ${then} to ${now}`;
    const truth = layer === 'v' ? ` In the clean row it is ${clean[k] ? 'on' : 'off'}.` : '';
    return { title, verdict: `${name}: ${words}.${truth}`, blocks: [sum, ...courses(i, layer, k)] };
  };
  const ofEnergy = (i) => {
    const { energy, taken: [best] } = phases[i], [own, ...samples] = energy, lowest = Math.min(...samples);
    const mark = best || samples.indexOf(lowest) + 1, apart = Math.abs(lowest - own), far = apart.toFixed(2);
    const above = apart < .005 ? 'no lower than' : `${far} above`;
    const times = apart > 14 ? `e^${far}`
      : `about ${Math.exp(apart).toLocaleString('en', { maximumSignificantDigits: 2 })}`;
    const verdict = !best ? `Even the lowest, sample ${mark}, is ${above} the clean row: this row changes nothing.`
      : apart < .005 ? `Sample ${best} is the lowest, just below the clean row, and is compared with it.`
        : `Sample ${best} is the lowest, ${far} below the clean row: to the model it is ${times} times as `
          + 'probable, and is compared with the clean row.';
    const [low, high] = [Math.min(...energy), Math.max(...energy)];
    const chart = courseOf({ name: 'Free energy by sample', points: samples.map((y, k) => [k + 1, y]), mark,
      line: ['clean row', own], low, high, ends: (y) => fixed(y, 1).replace('+', '') });
    return { title: 'Free energy: the lower, the more probable', verdict, blocks: [chart] };
  };
  const grids = (i, title, bias) => {
    const { wide } = subject(), step = fixed(bias, 4);
    const has = phases[i].kind === 'new' ? 'has moved' : 'will move';
    return { title, blocks: [gridsOf(tables(i), wide)], verdict: `Each weight ${has} by η G, with η = ${rate}; the `
      + `bias by ${step}. Click a weight in a small table to see why.` };
  };
  const ofUnit = (i, j, marked) => {
    const phase = phases[i], { kind, at, folded } = phase, name = nameOfUnit(j), W = column('models', at, 'W', j);
    if (!W) return loadingSum(name);
    const title = `The sum of ${name}`, first = ofHiddenBiases(j);
    const up = (v) => [...v.keys()].filter((q) => v[q] > 0)
      .map((q) => ({ name: briefPixel(trace, q), value: W[q] * v[q], chosen: q === marked }));
    if (kind === 'given') {
      const row = line('models', 0, 'W_hx', 'h', j);
      if (!row) return loadingSum(title);
      const terms = [...row.keys()].filter((k) => x[k] && row[k])
        .map((k) => ({ name: briefInput(k), value: row[k] * x[k] }));
      return { title: `The bias c(x) of ${name}`,
        blocks: [added([first[0]], terms, { result: 'c(x)', field: given.c[j] })],
        verdict: `The input shifts its bias by ${fixed(given.c[j] - models[0].b_h[j])}. From this alone, `
          + `p ${isChance(priorH[j])}.` };
    }
    if ((kind === 'clamped' || kind === 'hidden') && !folded) {
      const field = phase.field?.[j] ?? [...first, ...up(phase.v)].reduce((sum, { value }) => sum + value, 0);
      const u = phase.u?.[j], data = kind === 'clamped' ? free.data_h[j] : undefined;
      const rounded = data !== undefined && (data === 0 || data === 1) && Math.abs(data - phase.p[j]) > 1e-6;
      return { title, blocks: [added(first, up(phase.v), { result: 'sum', field, u })],
        verdict: rounded ? `p = σ(${fixed(field)}) ${isChance(phase.p[j])}: it counts as ${data ? 'on' : 'off'}.`
          : explainUnit(field, phase.p[j], u, name) };
    }
    if (kind === 'begin' || kind === 'iteration') {
      return beliefSums(i, 'h', j, name, first, (q) => ({ name: `from ${briefPixel(trace, q)}`, chosen: q === marked }));
    }
    if (kind === 'free') {
      const [a, b] = [free.data_h[j], free.h[j]];
      return { title: `${name}: clamped minus free`, blocks: [{ terms: [{ name: 'clamped', value: a },
        { name: '− free', value: -b }], result: 'difference' }], verdict: Math.abs(a - b) < 5e-4
        ? 'Both are equal: this row does not move its bias.'
        : `On with ${asChance(a)} given the clean row, ${asChance(b)} in the model’s output: ${moving(a - b)}.` };
    }
    if (i >= gap) return grids(i, `The weights of ${name}`, moved.b_h[j]);
    const verdict = folded ? 'These steps are fast-forwarded.'
      : kind !== 'visible' ? 'This phase is about pixels only.'
        : `${name} is ${phase.h[j] ? 'on: it adds these weights to the pixels’ sums' : 'off: it adds nothing'}.`;
    return { title: `The weights of ${name}`, verdict, blocks: [gridsOf([['weights', W, most.W.W]], columns)] };
  };
  const ofPixel = (i, q, marked) => {
    const phase = phases[i], { kind, folded } = phase, name = nameOfPixel(trace, q), first = ofBiases(i, q);
    if (!first) return loadingSum(name);
    const title = `The sum of ${name}`, weights = layered ? line('models', 0, 'W', 'v', q) : undefined;
    if (layered && !weights) return loadingSum(title);
    const down = (h) => [...h.keys()].filter((j) => h[j] > 0)
      .map((j) => ({ name: nameOfUnit(j), value: weights[j] * h[j], chosen: j === marked }));
    if (kind === 'given') {
      const row = line('models', 0, 'W_vx', 'v', q), [bias, own] = first;
      const terms = [...row.keys()].filter((k) => x[k] && row[k] && !(same && k === q))
        .map((k) => ({ name: briefInput(k), value: row[k] * x[k], chosen: k === marked }));
      return { title: `The bias b(x) of ${name}`,
        blocks: [added(same ? [bias, own] : [bias], terms, { result: 'b(x)', field: given.b[q] })],
        verdict: `From the input alone, p ${isChance(priorV[q])}. In the clean row it is `
          + `${clean[q] ? 'on' : 'off'}.` };
    }
    if (kind === 'augmented') {
      const [way, wrong] = clean[q] ? ['taken from', 'off'] : ['added to', 'on'];
      return { title, blocks: [{ terms: first, result: 'with bonus', field: phase.b[q] }],
        verdict: `It is ${clean[q] ? 'on' : 'off'} in the clean row, so ${wrong} is rewarded: 1 is ${way} its bias.` };
    }
    if (kind === 'start') {
      return { title, blocks: [{ terms: first, result: 'b(x)', field: given.b[q], u: phase.u[q] }],
        verdict: explainUnit(given.b[q], phase.p[q], phase.u[q], 'it') };
    }
    if (kind === 'visible' && !folded) {
      return { title, blocks: [added(first, down(phase.h), { result: 'sum', field: phase.field[q], u: phase.u[q] })],
        verdict: explainUnit(phase.field[q], phase.p[q], phase.u[q], 'it') };
    }
    if (kind === 'begin' || kind === 'iteration') {
      return beliefSums(i, 'v', q, name, first, (j) => ({ name: `from ${nameOfUnit(j)}`, chosen: j === marked }));
    }
    if (kind === 'free') {
      const [a, b] = [clean[q], free.v[q]], here = b === 0 ? 'off' : b === 1 ? 'on' : `on with ${asChance(b)}`;
      return { title: `${name}: clean minus model`, blocks: [{ terms: [{ name: 'clean', value: a },
        { name: '− model', value: -b }], result: 'difference' }], verdict: Math.abs(a - b) < 5e-4
        ? 'The model is right: this row moves neither its bias nor its input weights.'
        : `${a ? 'On' : 'Off'} in the clean row, ${here} in the model’s output: ${moving(a - b)}.` };
    }
    if (i >= gap) return grids(i, `The input weights of ${name}`, moved.b_v[q]);
    const verdict = kind === 'clamped' ? `It is ${clean[q] ? 'on: it adds its weights to the hidden units’ sums'
      : 'off: it adds nothing to the hidden units’ sums'}.` : folded ? 'These steps are fast-forwarded.'
      : 'This phase is about hidden units: each sums its weights from the pixels that are on.';
    const each = [...weights].map((value, j) => ({ name: nameOfUnit(j), value, chosen: j === marked }));
    return { title: `The weights of ${name}`, verdict,
      blocks: [{ terms: strongest(each, MOST_TERMS), result: 'total' }] };
  };
  // Sum of a weight's new value: a and b are how often its two ends are on together, clamped and free.
  const ofStep = (title, i, ends) => {
    const { name, part, get, mark } = subject(), of = (where, k, array) => get(where, k, array)?.[mark];
    const [a, b] = [of('phases', gap, `data_${part}`), of('phases', gap, `model_${part}`)], old = of('models', 0, name);
    if (a === undefined || b === undefined || old === undefined) return loadingSum(title);
    const way = a > b ? ['grows', 'more'] : ['shrinks', 'less'];
    const verdict = Math.abs(a - b) < 5e-4
      ? `It hardly moves: ${ends} are on together as often when clamped as when free (${asChance(a)}).`
      : `It ${way[0]}: ${ends} are on together ${way[1]} often with the clean rows (${asChance(a)}) than with the `
        + `model’s outputs (${asChance(b)}).`;
    const terms = [{ name: 'W before', value: old }, { name: 'η · clamped', value: rate * a },
      { name: '−η · free', value: -rate * b }];
    return { title, verdict, blocks: [{ terms, result: 'W after', digits: 4 }] };
  };
  return (i) => {
    const { kind } = phases[i], { pick } = lab.chosen, [j, q, k] = [unitOf(), pixelOf(), inputOf()];
    if (kind === 'energy') return ofEnergy(i);
    if (i < gap || pick === 'h' || pick === 'v') {
      const up = pick === 'h' || pick === 'g' || (pick === 'w' && ['clamped', 'hidden'].includes(kind));
      return up ? ofUnit(i, j, q) : ofPixel(i, q, k ?? j);
    }
    const [a, b] = [nameOfPixel(trace, q ?? 0), nameOfUnit(j ?? 0)];
    if (pick === 'w') return ofStep(`The weight of ${a} and ${b}`, i, 'both');
    const from = `x at ${nameOfInput(k)}`, to = pick === 'i' ? a : b;
    return ofStep(`The weight from ${from} to ${to}`, i, `${from} and ${to}`);
  };
};
