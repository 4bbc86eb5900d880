// A sweep, one parameter after the other: the columns in a ring (pixels in their picture) with their couplings, Pₙ
// along the parameter that moves with the parabola below it, and the sums of what is chosen.

import { made } from '../../frames/elements.js';
import {
  clamp, ease, isChance, largest, lineThrough, pointedAt, say, sharp, sigma, signed, strongest, fixed, unsigned,
} from '../../frames/ink.js';
import { BESIDE, farFromEdge, inParts, lookAt, nearestOf, partsOfPixel } from '../network.js';
import { NOW } from '../player.js';
import { sayLines } from '../plots.js';
import { flown, taken } from '../trace.js';
import { numbersOf } from './coordinate_numbers.js';

const ALL_EDGES = 16, NAMED_UNITS = 30;           // columns up to which all edges are drawn, and all names

export const view = (trace, lab) => {
  const { phases, models, shape, values } = trace, d = models[0].b.length, mu = values.mu ?? 1;
  const pairs = d * (d - 1) / 2, many = d > ALL_EDGES, x = phases[0].x;
  const { name, pairOf, numberOf, turnOf, turn, symbol, called, titleOf } = numbersOf(trace, d);
  const most = largest(lab.traces.flatMap(({ models: all }) => all.map(({ M }) => M.most)));
  const seconds = phases.map(({ kind, folded }) =>
    folded ? Math.min(2.5, .8 + folded * .05) : kind === 'rows' ? 3 : d > 4 ? 2.2 : 3);
  const canvas = made('canvas', 'picture', { tabIndex: 0, role: 'application' });
  let recent = [0, 1];                            // what was chosen last, or moved: another kind begins with it
  const thing = shape ? 'pixel' : 'column', one = inParts(...partsOfPixel(trace, d));
  const two = { parts: [[thing, d], ['and', d]], split: pairOf,
    join: ([j, k]) => j === k ? undefined : numberOf(j, k) };  // a unit has no coupling to itself
  const picks = [[NOW, 'what moves', 1, () => ''], ['u', thing, d, name, () => recent[0], one],
    ['b', 'bias', d, (j) => `of ${name(j)}`, () => recent[0], one],
    ['m', 'coupling', pairs, (index) => { const [j, k] = pairOf(index); return `of ${name(j)} and ${name(k)}`; },
      () => numberOf(...recent), two]]
    .filter(([, , count]) => count);
  const selector = lookAt(lab, picks), stage = made('div', 'stage', {}, canvas, selector.line);
  lab.chosen ??= { pick: NOW, index: 0 };
  let place, last = { i: 0, f: 0 };

  // -- what is where in time -----------------------------------------------------------------------------
  // The step that is under way when the share f of phase i is over, and how much of it is done.
  const moving = (i, f) => {
    const { folded, keyframes } = phases[i];
    return folded ? { step: flown(keyframes, f), done: 1 } : { step: phases[i], done: ease(f, .5, .8) };
  };
  const line = (at, j) => taken(trace, 'models', at, 'M', 'v', 0, j, lab.redraw);
  // The parameter then: of two models, or on its way from one to the other.
  const valueOf = ({ step, done }, j, k) => {
    const mine = turnOf(j, k), now = turn(step);
    const of = (at) => k === undefined ? models[at].b[j] : line(at, j)?.[k] ?? 0;
    return mine > now ? of(0) : mine < now ? of(1) : step.before[0] + (step.after[0] - step.before[0]) * done;
  };
  const threeDigits = (value) => value ? clamp(2 - Math.floor(Math.log10(Math.abs(value))), 0, 4) : 0;
  const plain = (value, digits = threeDigits(value)) => unsigned(value, digits);
  const reachedBefore = (i) => phases[Math.max(0, i - 1)].reached[0];

  // -- where things are ------------------------------------------------------------------------------------
  const layout = (width) => {
    const wide = width >= 560, side = wide ? Math.min(width * .56, 430) : width, top = 50;
    const longest = Math.max(...Array.from({ length: d }, (_, j) => name(j).length));
    const label = shape || d > NAMED_UNITS ? 14 : Math.min(8 * longest + 10, side * .24);
    const ring = Math.max(40, Math.min(side / 2 - label - 30, 150)), columns = shape?.[1] ?? d;
    const cell = shape ? Math.min((side - 24) / columns, 300 / shape[0]) : 0;
    const radius = shape ? Math.max(3, cell * .3) : clamp(Math.PI * ring / d * .5, 3, 17);
    const tall = shape ? cell * shape[0] + 16 : 2 * ring + 2 * radius + 64;
    const box = wide ? { x: side + 22, y: top + 14, width: width - side - 40, height: Math.min(tall - 104, 240) }
      : { x: 18, y: top + tall + 16, width: width - 36, height: 190 };
    const lines = wide ? 4 : 5;
    const turned = (j) => -Math.PI / 2 + 2 * Math.PI * j / d;
    const height = Math.max(top + tall, box.y + box.height + 24 + 17 * lines);
    place = { width, side, ring, radius, label, box, wide, height,
      turned, unit: (j) => shape
        ? [(side - cell * columns) / 2 + (j % columns + .5) * cell, top + 8 + (Math.floor(j / columns) + .5) * cell]
        : [side / 2 + ring * Math.cos(turned(j)), top + tall / 2 + ring * Math.sin(turned(j))] };
  };

  // -- drawing ---------------------------------------------------------------------------------------------
  const chosenUnits = () => {
    const { pick, index } = lab.chosen;
    return pick === 'u' || pick === 'b' ? [index] : pick === 'm' ? pairOf(index) : [];
  };
  const recentAfter = (step) => {
    const chosen = chosenUnits(), units = chosen.length ? chosen : [step.j?.[0], step.k?.[0]].filter((j) => j >= 0);
    if (units.length === 1) return [units[0], recent.find((j) => j !== units[0])];
    return units.length ? units : recent;
  };
  const shownEdges = (step) => {
    const found = new Map(), add = (j, k) => found.set(numberOf(j, k), j < k ? [j, k] : [k, j]);
    if (!many) for (let j = 0; j < d; j++) for (let k = j + 1; k < d; k++) add(j, k);
    const around = new Set(lab.chosen.pick === 'u' || lab.chosen.pick === 'b' ? chosenUnits() : []);
    if (many) for (const j of around) for (let k = 0; k < d; k++) if (k !== j) add(j, k);
    if (lab.chosen.pick === 'm') add(...pairOf(lab.chosen.index));
    if (step.k) add(step.j[0], step.k[0]);
    return [...found.values()];
  };
  const drawEdges = (ink, theme, at) => {
    const { step } = at, { pick, index } = lab.chosen, units = chosenUnits();
    for (const [j, k] of shownEdges(step)) {
      const [x0, y0] = place.unit(j), [x1, y1] = place.unit(k), value = valueOf(at, j, k);
      const moves = step.k && step.j[0] === j && step.k[0] === k, mine = pick === 'm' && index === numberOf(j, k);
      const strong = moves || mine || (pick === 'u' && units.includes(j) !== units.includes(k));
      const width = .5 + 5 * Math.abs(value) / most;
      const stroke = (colour, wide) => {
        Object.assign(ink, { strokeStyle: colour, lineWidth: wide });
        ink.beginPath(); ink.moveTo(x0, y0); ink.lineTo(x1, y1); ink.stroke();
      };
      if (mine || moves) {                                               // its frame, and the ground inside it
        stroke(mine || pick === NOW ? theme.chosen : theme.text, width + 8);
        stroke(theme.ground, width + 4);
      }
      stroke(signed(value, most, theme, strong ? 1 : .5), width);
    }
  };
  const drawUnits = (ink, theme, i, f, at) => {
    const { step } = at, { pick } = lab.chosen, { radius } = place, mine = chosenUnits(), { folded, kind } = phases[i];
    const before = phases[Math.max(0, i - 1)].log_odds, { log_odds: odds } = step;
    const known = kind === 'rows' ? ease(f, .3, .8) : folded ? 1 : ease(f, .8, 1);
    for (let j = 0; j < d; j++) {
      const [cx, cy] = place.unit(j), moves = step.j && (step.j[0] === j || step.k?.[0] === j);
      const p = kind === 'rows' ? known * sigma(-odds[j]) : sigma(-(before[j] + (odds[j] - before[j]) * known));
      const gauge = Math.max(2, radius * .28), around = radius + gauge / 2 + 2;
      ink.beginPath(); ink.arc(cx, cy, around + gauge / 2 + 1, 0, 7);
      ink.fillStyle = theme.ground; ink.fill();
      ink.beginPath(); ink.arc(cx, cy, radius, 0, 7);
      ink.fillStyle = x[j] > 0 ? '#fff' : '#000'; ink.fill();
      Object.assign(ink, { strokeStyle: theme.soft, lineWidth: 1 }); ink.stroke();
      Object.assign(ink, { strokeStyle: theme.line, lineWidth: gauge });
      ink.beginPath(); ink.arc(cx, cy, around, 0, 7); ink.stroke();
      ink.strokeStyle = theme.text;
      ink.beginPath(); ink.arc(cx, cy, around, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * p); ink.stroke();
      const chosen = mine.includes(j) || (pick === NOW && moves);
      if (chosen || moves) {
        Object.assign(ink, { strokeStyle: chosen ? theme.chosen : theme.text, lineWidth: 3 });
        ink.beginPath(); ink.arc(cx, cy, around + gauge / 2 + 3, 0, 7); ink.stroke();
      }
      if (shape || (d > NAMED_UNITS && !chosen && !moves)) continue;     // a pixel's name is where its place is
      const cos = Math.cos(place.turned(j)), sin = Math.sin(place.turned(j)), out = around + gauge + 6;
      const align = Math.abs(cos) < .35 ? 'center' : cos > 0 ? 'left' : 'right';
      const tx = cx + cos * out, ty = cy + sin * (out + (align === 'center' ? 6 : 0));
      const room = align === 'left' ? place.side - tx : align === 'right' ? tx : 2 * Math.min(tx, place.side - tx);
      say(ink, theme, name(j), tx, ty, { size: 12, align, room, weight: chosen ? 600 : 400 });
    }
  };

  // Pₙ along the parameter of a step, and the parabola that touches it: what is known of both by now, 0 to 1 each.
  const drawCurve = (ink, theme, step, { x: left, y: top, width, height }, { parabola = 1, done = 1 } = {}) => {
    const { at, gain, bound, gained } = step, n = at.length;
    const here = step.before[0], there = step.after[0], reach = at[n - 1] - at[0];
    const all = [...gain, ...bound], low = Math.min(...all), high = Math.max(...all, 0), span = (high - low) || 1;
    const px = (value) => left + width * (reach ? (value - at[0]) / reach : .5) ;
    const py = (value) => top + height * (1 - (value - low + span * .04) / (span * 1.12));
    Object.assign(ink, { strokeStyle: theme.line, lineWidth: 1 });
    ink.strokeRect(left + .5, top + .5, width, height);
    ink.setLineDash([2, 3]);
    ink.beginPath(); ink.moveTo(left, py(0)); ink.lineTo(left + width, py(0)); ink.stroke();
    ink.setLineDash([]);
    const path = (ys, part) =>
      lineThrough(ink, Array.from(at.slice(0, Math.max(2, Math.ceil(part * n))), (value, q) => [px(value), py(ys[q])]));
    Object.assign(ink, { strokeStyle: theme.text, lineWidth: 2 });
    path(gain, 1);
    if (parabola > 0) {
      Object.assign(ink, { strokeStyle: theme.soft, lineWidth: 1.5 });
      ink.setLineDash([5, 3]); path(bound, parabola); ink.setLineDash([]);
    }
    const dot = (value, y, colour, filled) => {
      ink.beginPath(); ink.arc(px(value), py(y), 5, 0, 7);
      ink.fillStyle = filled ? colour : theme.ground; ink.fill();
      Object.assign(ink, { strokeStyle: colour, lineWidth: 2 }); ink.stroke();
    };
    dot(here, 0, theme.text, false);
    const now = here + (there - here) * done;
    if (done > 0) {
      Object.assign(ink, { strokeStyle: theme.chosen, lineWidth: 1 });
      ink.setLineDash([3, 3]);
      ink.beginPath(); ink.moveTo(px(now), top); ink.lineTo(px(now), top + height); ink.stroke();
      ink.setLineDash([]);
    }
    if (done >= 1) dot(there, gained[0], theme.chosen, true);
    const right = px(here) < left + width / 2, near = { size: 11, colour: theme.soft };
    const ends = right ? 'right' : 'left', edge = right ? left + width - 6 : left + 6;
    const q = n - 6, falls = gain[n - 1] < gain[q];                      // beside the curve, away from the parabola
    if (falls) {
      say(ink, theme, 'Pₙ', px(at[q]) + (right ? 7 : -7), Math.max(py(gain[q]) - 7, top + 9),
        { ...near, colour: theme.text, align: right ? 'left' : 'right' });
    } else {
      const below = clamp(py(gain[n - 1]) + 14, top + 9, top + height - 9);
      say(ink, theme, 'Pₙ', edge, below, { ...near, colour: theme.text, align: ends });
    }
    if (parabola >= 1) {
      say(ink, theme, 'parabola', px(at[n - 4]) + (right ? -8 : 8), py(bound[n - 4]), { ...near, align: ends });
    }
    const apart = Math.abs(px(there) - px(here)) > 72, first = px(here) < px(there);
    const mark = (word, value, left_, colour) => say(ink, theme, apart ? `${word} ${fixed(value, 3)}` : word,
      px(value) + (apart ? 0 : left_ ? -2 : 2), top + height + 11,
      { ...near, colour, align: apart ? 'center' : left_ ? 'right' : 'left' });
    mark('before', here, first, theme.soft);
    if (done >= 1) mark('after', there, !first, theme.text);
    say(ink, theme, `height of the frame: ${plain(span * 1.12)} nats`, left, top - 8, { ...near, room: width });
  };

  // What Pₙ has come to, step by step, as far as it is shown.
  const rises = phases.flatMap((phase) => [...phase.keyframes, phase]).map((each) => [turn(each) + 1, each.reached[0]]);
  const drawRise = (ink, theme, { x: left, y: top, width, height }, now) => {
    const heights = rises.map(([, y]) => y), low = Math.min(...heights), span = Math.max(...heights) - low || 1;
    const px = (k) => left + width * k / (d + pairs), py = (y) => top + height * (.94 - .88 * (y - low) / span);
    const spot = ([k, y]) => [px(k), py(y)];
    Object.assign(ink, { strokeStyle: theme.line, lineWidth: 1 });
    ink.strokeRect(left + .5, top + .5, width, height);
    Object.assign(ink, { strokeStyle: theme.line, lineWidth: 2 });
    lineThrough(ink, rises.map(spot));
    const past = rises.filter(([k]) => k <= now), [k, y] = past.at(-1);
    Object.assign(ink, { strokeStyle: theme.text, lineWidth: 2 });
    lineThrough(ink, past.map(spot));
    ink.beginPath(); ink.arc(px(k), py(y), 5, 0, 7); ink.fillStyle = theme.chosen; ink.fill();
    const axis = { size: 11, colour: theme.soft };
    say(ink, theme, 'Pₙ over this sweep, nats', left, top - 8, axis);
    say(ink, theme, '0 steps', left, top + height + 11, axis);
    say(ink, theme, `${d + pairs}`, left + width, top + height + 11, { ...axis, align: 'right' });
  };

  const exact = (value) => {
    const size = Math.abs(value), digits = size >= 1e4 ? 1 : 2;
    const how = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return (value < 0 ? '−' : '') + size.toLocaleString('en', how);
  };
  // What moves, and from where to where.
  const headOf = (i, f) => {
    const { folded, kind } = phases[i], { step } = moving(i, f), [j, k] = [step.j?.[0], step.k?.[0]];
    const head = kind === 'rows' ? `Row ${trace.row + 1}`
      : folded ? `${folded} more, one after the other: ${called(j, k)}` : titleOf(j, k);
    const to = f > .5 && step.j ? ` → ${fixed(step.after[0], 3)}` : '';
    return { head, change: step.j && !folded ? `:  ${fixed(step.before[0], 3)}${to}` : '' };
  };
  const draw = (i, f, theme) => {
    last = { i, f };
    recent = recentAfter(moving(i, f).step);
    selector.show();
    const ink = sharp(canvas, place.width, place.height), room = place.width, { folded, kind } = phases[i];
    const at = moving(i, f), { step, done } = at, { head, change } = headOf(i, f);
    say(ink, theme, head + change, 0, 10, { weight: 600, size: 14, room });
    const gained = folded ? step.reached[0] - reachedBefore(i) : step.gained?.[0], full = folded || done >= 1;
    const reached = full || kind === 'rows' ? step.reached[0] : reachedBefore(i);
    const rose = gained !== undefined && full ? ` (${fixed(gained, threeDigits(gained))})` : '';
    say(ink, theme, `log-pseudo-likelihood Pₙ = ${exact(reached)} nats${rose}`, 0, 32,
      { size: 13, colour: theme.soft, room });
    drawEdges(ink, theme, at);
    drawUnits(ink, theme, i, f, at);
    const { box } = place;
    if (kind === 'rows' || folded) drawRise(ink, theme, box, turn(step) + 1);
    else drawCurve(ink, theme, step, box, { parabola: ease(f, .15, .45), done });
    const below = kind === 'rows' ? [] : folded ? 'Each uses all steps before it.'
      : `${mu === 1 ? 'The step goes to the top of the parabola' : `The step goes ${mu} times as far as its top`}. `
        + 'The parabola lies below Pₙ everywhere.';
    const legend = 'Disc: white is on, black is off in this row. Arc: how probable that is, given the others.';
    sayLines(ink, theme, `${below} ${legend}`.trim(), box.x, box.y + box.height + 31, box.width + 12,
      { colour: theme.soft, gap: 17 });
  };

  // -- the arithmetic --------------------------------------------------------------------------------------
  const ofUnit = (i, j) => {
    const at = { step: phases[i].folded ? phases[i].keyframes.at(-1) : phases[i], done: 1 };
    if (!line(0, j) || !line(1, j)) return { title: name(j), verdict: 'Its couplings are on their way.', blocks: [] };
    const own = 2 * x[j], terms = [{ name: 'own bias', value: own * valueOf(at, j) }];
    for (let k = 0; k < d; k++) if (k !== j) {
      terms.push({ name: name(k), value: own * valueOf(at, Math.min(j, k), Math.max(j, k)) * x[k] });
    }
    const field = -phases[i].log_odds[j], p = sigma(field), few = [terms[0], ...strongest(terms.slice(1), 8)];
    return { title: `What the others make of ${name(j)}`, blocks: [{ terms: few, result: 'log-odds', field }],
      verdict: `In this row it is ${x[j] > 0 ? 'on' : 'off'}. Given all others the model gives that p ${isChance(p)}: `
        + (p > .5 ? 'it was to be expected.' : 'a surprise, so this row pulls hard at its bias and its couplings.') };
  };
  // The step of a parameter, where its numbers are known: given here, or asked for.
  const stepOf = (j, k) => {
    const mine = turnOf(j, k), i = phases.findIndex((phase) => !phase.folded && phase.j && turn(phase) === mine);
    return i >= 0 ? phases[i] : trace.unit('p', mine + 1, lab.redraw)?.phases[0];
  };
  const finely = (change) => change ? clamp(1 - Math.floor(Math.log10(Math.abs(change))), 2, 6) : 2;
  // How hard the row that is shown pulls at a step: twice how improbable its values were to the model.
  const pullOf = (step, j, k) => {
    const moved = step.after[0] - step.before[0], bias = k === undefined, where = `Row ${trace.row + 1}`;
    const against = (one, other) => step.log_odds[one] + 2 * x[one] * moved * (other === undefined ? 1 : x[other]);
    const chances = (bias ? [against(j)] : [against(j, k), against(k, j)]).map(sigma);
    const pull = 2 * x[j] * (bias ? 1 : x[k]) * chances.reduce((all, p) => all + p), given = 'given all others, ';
    if (bias) {
      return `${where} has it ${x[j] > 0 ? 'on' : 'off'}; to the model the other value had, ${given}p `
        + `${isChance(chances[0])}. It pulls by twice that: ${fixed(pull)}.`;
    }
    return `In ${where.toLowerCase()} they are ${x[j] === x[k] ? 'alike' : 'different'}; to the model the other values `
      + `of the two had, ${given}p ${isChance(chances[0])} and p ${isChance(chances[1])}. It pulls by twice their sum: `
      + `${fixed(pull)}.`;
  };
  const ofStep = (i, j, k) => {
    const step = stepOf(j, k), what = symbol(j, k);
    const title = titleOf(j, k), bias = k === undefined;
    if (!step) return { title, verdict: 'Its numbers are on their way.', blocks: [] };
    const [up, down] = step.pulls, [ups, downs] = step.rows, [before, after] = [step.before[0], step.after[0]];
    const [so, not] = bias ? ['on', 'off'] : ['alike', 'different'], rows = (n) => `${n.toLocaleString('en')} rows`;
    const pulls = [{ name: `${so}: ${rows(ups)}`, value: up }, { name: `${not}: ${rows(downs)}`, value: down }];
    const curvature = step.curvature[0].toLocaleString('en'), times = mu === 1 ? '' : `${mu} × `;
    const way = [{ name: `${what} before`, value: before },
      { name: `+ ${times}pull ÷ ${curvature}`, value: after - before }];
    const when = turn(step) - turn(moving(i, 1).step), upward = after > before;
    const drawn = !when && !phases[i].folded;                            // its curve is in the picture
    const later = when > 0 ? 'Later in this sweep. ' : when < 0 ? 'Done already in this sweep. ' : '';
    const are = `where ${bias ? `${name(j)} is` : 'both are'} ${upward ? so : not}`;
    const digits = threeDigits(Math.max(up, -down));
    const how = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    const [most_, least] = [Math.max(up, -down), Math.min(up, -down)].map((each) => each.toLocaleString('en', how));
    const why = after === before ? 'Both pulls are as strong: it stays.'
      : `It ${upward ? 'rises' : 'falls'}: rows ${are} pull harder (${most_} against ${least}).`;
    const { gained } = step, far = mu <= 1 ? '' : mu <= 2 ? ' Up to μ = 2 the parabola is no lower than at the start.'
      : ' Beyond μ = 2 the parabola is below the start: nothing promises that Pₙ rises.';
    const rose = `Pₙ ${gained[0] < 0 ? 'falls' : 'rises'} by ${plain(gained[0])} nats.`;
    const all = (ups + downs).toLocaleString('en'), made_ = bias ? `: 1 for each of ${all} rows`
      : ` = 2 × ${all} rows, for a coupling moves both of its columns in each`;
    const bent = `The step is the pull, ${times && `times ${mu}, `}divided by how strongly the parabola is bent, `
      + `${curvature}${made_}.`;
    const curve = { height: 190, text: rose, draw: (ink, theme, width, y) =>
      drawCurve(ink, theme, step, { x: 4, y: y + 18, width: width - 8, height: 146 }) };
    const blocks = [{ terms: pulls, result: 'pull in all', digits: Math.min(digits, 2) },
      { terms: way, result: `${what} after`, digits: finely(after - before) }, ...(drawn ? [] : [curve])];
    return { title, verdict: `${later}${why} ${pullOf(step, j, k)} ${bent} ${rose}${far}`, blocks };
  };
  const summed = (i) => {
    const { pick, index } = lab.chosen, { kind, folded, log_odds: odds } = phases[i];
    if (pick === 'u') return ofUnit(i, index);
    if (pick === 'b') return ofStep(i, index);
    if (pick === 'm') return ofStep(i, ...pairOf(index));
    if (kind === 'rows') return ofUnit(i, odds.indexOf(Math.max(...odds)));
    if (!folded) return ofStep(i, phases[i].j[0], phases[i].k?.[0]);
    const { keyframes } = phases[i], rose = phases[i].reached[0] - reachedBefore(i), all = keyframes.length === folded;
    const terms = keyframes.map((each, q) => ({ name: `${all ? '' : 'up to '}${symbol(each.j[0], each.k?.[0])}`,
      value: each.reached[0] - (q ? keyframes[q - 1].reached[0] : reachedBefore(i)) }));
    return { title: `What ${folded} steps add to Pₙ`,
      blocks: [{ terms: strongest(terms, 8), result: 'in all', digits: finely(rose) }],
      verdict: `One parameter after the other, each as those before. In all Pₙ ${rose < 0 ? 'falls' : 'rises'} by `
        + `${plain(rose)} nats.` };
  };
  const sum = (i) => {
    const said = summed(i), { head, change } = headOf(i, 1);
    canvas.ariaLabel = `${head}${change}. ${said.title}. ${said.verdict}`;
    return said;
  };

  // -- choosing --------------------------------------------------------------------------------------------
  canvas.onclick = (event) => {
    const [x, y] = pointedAt(event);
    const near = nearestOf(d, place.unit, x, y, [1, 1], Math.max(place.radius + 8, many ? 8 : 14));
    if (near !== undefined) return lab.choose({ pick: 'u', index: near });
    let best = [BESIDE];
    for (const [j, k] of shownEdges(moving(last.i, last.f).step)) {
      const far = farFromEdge(place.unit(j), place.unit(k), x, y);
      if (far < best[0]) best = [far, j, k];
    }
    if (best.length > 1) lab.choose({ pick: 'm', index: numberOf(best[1], best[2]) });
    else lab.choose({ pick: NOW, index: 0 });
  };
  canvas.onkeydown = (event) => {
    const { pick, index } = lab.chosen, across = shape && pick === 'u' ? shape[1] : 1;
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across }[event.key];
    if (!by || (pick === NOW && !event.key.match(/Up|Down/))) return;    // through the phases
    const to = pick === NOW ? 0 : index + by, [, , count] = picks.find(([each]) => each === pick);
    if (pick === NOW) lab.choose({ pick: 'u', index: 0 });
    else if (to >= 0 && to < count) lab.choose({ pick, index: to });
    event.preventDefault();
  };

  // A step's name, and how much it rises or falls beside the largest that is shown.
  const farthest = largest(phases.flatMap(({ folded, before, after }) =>
    before && !folded ? [after[0] - before[0]] : []));
  const icon = (ink, i, left, top, side, theme) => {
    const { kind, folded, j, k, before, after } = phases[i];
    if (kind === 'rows' || folded) return kind === 'rows' ? 'row' : `… ${folded}`;
    const how = { size: 11, align: 'center', colour: theme.soft };
    if (side > 24) say(ink, theme, symbol(j[0], k?.[0]), left + side / 2, top + 5, how);
    const step = after[0] - before[0], tall = 10 * Math.sqrt(Math.abs(step) / farthest), mid = top + 22;
    ink.fillStyle = theme.line; ink.fillRect(left + 2, mid, side - 4, 1);
    ink.fillStyle = signed(step, 1e-9, theme, .85);
    ink.fillRect(left + side / 2 - 4, step > 0 ? mid - tall : mid, 8, Math.max(1, tall));
    return '';
  };
  return { seconds, stage, picks, rows: true, layout, draw, icon, sum };
};
