// A step by chains: the units of one chain, drawn one after the other, each from what the others are by then; below
// them all parameters, and beside these how often units are on in data and chains, and the difference.

import { made } from '../../frames/elements.js';
import { clamp, ease, gray, largest, pointedAt, say, sharp, strongest, tile, fixed } from '../../frames/ink.js';
import { matricesOf } from '../matrices.js';
import {
  briefPixel, decided, drawChance, drawEdge, drawGauge, drawMessage, furthest, lookAt, MOST_TERMS, nearestOf,
} from '../network.js';
import { inGrays, inSigns } from '../plots.js';
import { flown } from '../trace.js';

const SAMPLED = { data: 2, start: 1.6, unit: 2.2, chains: 2.4, difference: 2.4, new: 2.4 };
const SPOT = { least: 9, most: 20 };              // pixels: the radius of a unit

export const view = (trace, lab) => {
  const { phases, names, shape, values } = trace, find = (kind) => phases.find((phase) => phase.kind === kind);
  const { theta, data } = find('data'), begin = find('start').x, end = find('chains').x, d = begin.length;
  const { slope } = find('difference'), chains = find('chains'), after = find('new').theta, rate = values.rate;
  const name = (k) => names?.[k] ?? (shape ? briefPixel(trace, k) : `v${k + 1}`), noun = shape ? 'pixel' : 'column';
  const matrices = matricesOf(Array(d).fill(1), name), { terms, side } = matrices;
  const most = { theta: largest(theta, after), slope: largest(slope) };
  const termOf = new Map(terms.map(({ cells: [[r, c]] }, n) => [r * d + c, n]));
  const weight = (i, j) => theta[termOf.get(Math.min(i, j) * d + Math.max(i, j))];
  const couplings = largest(theta.subarray(d));
  // Each draw by its unit; of those that fly past there are keyframes.
  const draws = new Map(phases.flatMap((phase) => phase.kind !== 'unit' ? [] : phase.folded ? phase.keyframes : [phase])
    .map((draw) => [draw.unit[0], draw]));
  const drawIn = (i, f) => {
    const { folded, keyframes } = phases[i];
    return folded ? flown(keyframes, f) : phases[i];
  };

  const picks = [['p', 'parameter', terms.length, (n) => terms[n].name], ['u', noun, d, name]];
  lab.chosen ??= { pick: 'p', index: furthest(slope) };
  const chosen = () => lab.chosen.pick === 'p' ? lab.chosen.index : undefined;
  const unit = () => lab.chosen.pick === 'u' ? lab.chosen.index : undefined;
  const canvas = made('canvas', 'picture', { tabIndex: 0, role: 'application' }), selector = lookAt(lab, picks);
  const stage = made('div', 'stage', {}, canvas, selector.line);

  // -- the chain: pixels in their picture, columns in a ring ------------------------------------------------
  let place;
  const layout = (width) => {
    const columns = shape?.[1] ?? 1, rows = shape?.[0] ?? 1, top = 30;
    const cell = Math.min((width - 20) / columns, 62), ring = clamp(width / 2 - 100, 46, 100);
    const tall = shape ? rows * cell : 2 * ring + 64, turned = (k) => -Math.PI / 2 + 2 * Math.PI * k / d;
    const spot = (k) => shape
      ? [width / 2 + (k % columns - (columns - 1) / 2) * cell, top + (Math.floor(k / columns) + .5) * cell]
      : [width / 2 + ring * Math.cos(turned(k)), top + tall / 2 + ring * Math.sin(turned(k))];
    const radius = clamp(shape ? cell * .34 : Math.PI * ring / d * .6, SPOT.least, SPOT.most);
    const both = matrices.layout(width, top + tall + 14);
    place = { ...both, width, height: both.below + 4, spot, radius, turned };
  };
  const stateIn = (i, f) => {
    const { kind } = phases[i];
    if (kind === 'start' || kind === 'data') return begin;
    if (kind !== 'unit') return end;
    const draw = drawIn(i, f);
    return draw.x.map((x, k) => k === draw.unit[0] && (phases[i].folded || f > .8) ? draw.on[0] : x);
  };
  const drawChain = (ink, theme, i, f) => {
    const { spot, radius, turned, width } = place, { kind, folded } = phases[i], x = stateIn(i, f);
    const draw = kind === 'unit' ? drawIn(i, f) : undefined, now = draw?.unit[0], mine = unit();
    const [heard, known] = [ease(f, .05, .45), folded || f > .8];
    const title = kind === 'unit' ? `the chain: ${name(now)} is drawn` : 'a chain';
    say(ink, theme, title, width / 2, 10, { weight: 600, size: 13, align: 'center', room: width });
    if (draw) for (let k = 0; k < d; k++) {
      if (k === now) continue;
      const busy = !!draw.x[k], ends = [spot(k), spot(now)], value = weight(k, now) / couplings;
      if (!busy) continue;                                               // what is off says nothing
      drawEdge(ink, theme, ...ends, value, { chosen: true, busy, cell: 2 * radius });
      if (!lab.still && !folded) drawMessage(ink, theme, ...ends, value, heard);
    }
    for (let k = 0; k < d; k++) {
      const [cx, cy] = spot(k), under = k === now && !known;
      drawGauge(ink, theme, cx, cy, radius, under ? draw.p[0] * heard : x[k], k === mine || k === now);
      if (k === now && heard >= 1) drawChance(ink, theme, cx, cy, radius, draw.u[0], ease(f, .45, .6));
      if (shape) continue;
      const cos = Math.cos(turned(k)), align = Math.abs(cos) < .35 ? 'center' : cos > 0 ? 'left' : 'right';
      const out = radius + 8, ty = cy + Math.sin(turned(k)) * (out + (align === 'center' ? 4 : 0));
      const tx = cx + cos * out, room = align === 'left' ? width - tx : align === 'right' ? tx : 2 * radius + 40;
      say(ink, theme, name(k), tx, ty, { size: 12, align, room });
    }
  };

  const draw = (i, f, theme) => {
    const { kind } = phases[i], ink = sharp(canvas, place.width, place.height), p = chosen(), over = kind === 'new';
    const moved = over ? theta.map((value, n) => value + (after[n] - value) * ease(f, .1, .8)) : theta;
    drawChain(ink, theme, i, f);
    const left = { name: over ? 'parameters move' : 'parameters', values: moved, limit: most.theta, chosen: p };
    const right = ['difference', 'new'].includes(kind)
      ? { name: 'data − chains', values: slope, limit: most.slope }
      : kind === 'chains' ? { name: 'on in the chains', values: chains.model }
        : { name: 'on in the data', values: data };
    matrices.draw(ink, theme, place, 0, left);
    matrices.draw(ink, theme, place, 1, { ...right, chosen: p });
    matrices.drawNames(ink, theme, place);
    selector.show();
  };

  // -- the arithmetic ---------------------------------------------------------------------------------------
  const ofDraw = ({ unit: [i], x, field: [field], p: [p], u: [u] }) => {
    const others = [...x.keys()].filter((j) => j !== i && x[j]);
    const those = others.map((j) => ({ name: `${name(j)} is on`, value: weight(i, j), chosen: j === unit() }));
    return { title: `What ${name(i)} adds up`, verdict: decided(field, p, u, `the ${noun}`),
      blocks: [{ terms: [{ name: 'its own', value: theta[i] }, ...strongest(those, MOST_TERMS)], result: 'sum',
        field, u }] };
  };
  const percentOf = (share) => `${Number((100 * share).toPrecision(3))} %`;
  const ofParameter = (i, n) => {
    const { kind } = phases[i], { name: whose, cells } = terms[n], pair = cells.length > 1;
    const title = `The parameter of ${whose}`, is = pair ? 'Both are on' : 'It is on';
    const shares = [`${is} in ${percentOf(data[n])} of the rows`, `in ${percentOf(chains.model[n])} of the chains`];
    if (kind === 'data') return { title, verdict: `${shares[0]}. Now it is ${fixed(theta[n], 3)}.`, blocks: [] };
    if (kind === 'start') return { title, verdict: `It is ${fixed(theta[n], 3)}.`, blocks: [] };
    const way = slope[n] > 0 ? 'it rises' : slope[n] < 0 ? 'it falls' : 'it stays';
    const verdict = `${shares.join(', ')}: ${way}.`;
    const sides = [{ name: 'data', value: data[n] }, { name: '− chains', value: -chains.model[n] }];
    if (kind !== 'new') return { title, verdict, blocks: [{ terms: sides, result: 'slope', digits: 3 }] };
    const steps = [{ name: 'before', value: theta[n] }, { name: 'η · data', value: rate * data[n] },
      { name: '−η · chains', value: -rate * chains.model[n] }];
    return { title, verdict: `${verdict} η = ${rate}.`, blocks: [{ terms: steps, result: 'after', digits: 3 }] };
  };
  const sum = (i) => {
    const { kind } = phases[i], mine = unit();
    const found = kind === 'unit' ? ofDraw((mine !== undefined && draws.get(mine)) || drawIn(i, 1))
      : ofParameter(i, mine ?? chosen());
    canvas.ariaLabel = `A chain and all parameters. ${found.title}: ${found.verdict} Arrow keys choose another.`;
    return found;
  };

  // -- choosing ---------------------------------------------------------------------------------------------
  canvas.onclick = (event) => {
    const [x, y] = pointedAt(event);
    const k = nearestOf(d, place.spot, x, y, [1, 1], Math.max(place.radius + 2, 20));
    const found = k === undefined ? matrices.hit(place, x, y) : { pick: 'u', index: k };
    if (found) lab.choose(found);
  };
  canvas.onkeydown = (event) => {
    const mine = unit(), columns = shape?.[1] ?? 1;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    if (!step) return;
    event.preventDefault();
    if (mine === undefined) { const found = matrices.beside(lab.chosen, event.key); if (found) lab.choose(found); }
    else if (mine + step >= 0 && mine + step < d) lab.choose({ pick: 'u', index: mine + step });
  };

  const icon = (ink, i, x, y, wide, theme) => {
    const { kind, folded } = phases[i];
    if (kind === 'difference' || kind === 'new') {
      const [values, limit] = kind === 'new' ? [after, most.theta] : [slope, most.slope];
      inSigns(ink, theme, matrices.cellsOf(values), side, x, y, wide, limit);
    } else if (kind === 'data' || kind === 'chains') {
      inGrays(ink, theme, matrices.cellsOf(kind === 'data' ? data : chains.model), side, x, y, wide);
    } else if (shape) tile(ink, stateIn(i, 1), shape[1], x, y, wide, gray, theme.line);
    else return folded ? '…' : kind === 'start' ? 'chain' : `${drawIn(i, 1).unit[0] + 1}`;
    return '';
  };
  const seconds = phases.map(({ kind, folded }) => folded ? Math.min(3, .8 + folded * .1) : SAMPLED[kind]);
  return { seconds, stage, picks, rows: false, layout, draw, icon, sum };
};
