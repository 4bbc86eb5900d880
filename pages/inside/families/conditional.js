// An update of a conditional model: the damaged picture enters from below and moves every bias; hidden units stand
// above the pixels. Comparisons, and the tables of the chosen unit, are pictures at the top.

import { made } from '../../draw/elements.js';
import { clamp, ease, gray, pointedAt, say, sharp, signed, signedBy, tile, fixed } from '../../draw/ink.js';
import {
  drawEdge, drawHidden, drawMessage, drawPixels, edgeAt, leaningOf, levelsOf, nameOfUnit, networkOf,
} from '../../draw/network.js';
import { chooseByKeys, inParts, lookAt, nameOfPixel, partsOfPixel, secondsOf } from '../choosing.js';
import { frameCell, pictureIn, scaleOf } from '../../draw/plots.js';
import { numbersOfConditional } from './conditional_numbers.js';
import { sumsOfConditional } from './conditional_sums.js';

const GIVEN_PACE = { given: 3.5, clamped: 3, start: 2, hidden: 3, visible: 3, energy: 3, augmented: 3.5, begin: 2,
  iteration: 3, free: 2.5, difference: 4, error: 4, new: 2.5 };
const GIVEN_ICONS = { hidden: 'h', augmented: '±1', energy: 'F', difference: 'G', error: 'G', new: 'W' };

export const view = (trace, lab) => {
  const { phases, models, shape } = trace, numbers = numbersOfConditional(trace, lab);
  const { nv, nh, nx, x, rate, given, same, clean, layered, moved, clamped, gap, end, bonus, columns,
    inputs } = numbers;
  const { most, biases, initial, steepest, nameOfInput, unitOf, pixelOf, inputOf, line, column, subject, scaleFor,
    tables, unlike, scene } = numbers;
  const summed = sumsOfConditional(trace, lab, numbers);
  const whole = layered && !models[0].W.missing && nv * nh <= 160;
  const seconds = secondsOf(phases, GIVEN_PACE, ['hidden', 'visible', 'iteration']);
  const canvas = made('canvas', 'picture', { tabIndex: 0, role: 'application' });
  const thing = shape ? 'pixel' : 'column';
  const pixel = partsOfPixel(trace, nv), unit = ['hidden unit', nh];
  const from = shape && nx === nv ? partsOfPixel(trace, nx, 'input ') : [['input', nx]];
  const named = (text) => shape ? '' : text, recent = {};   // row and column name the pixel; the last choices
  const picks = [['h', 'hidden unit', nh, () => `of ${nh}`, () => recent.j ?? initial.h],
    ['v', thing, nv, (q) => named(nameOfPixel(trace, q)), () => recent.q ?? initial.v, inParts(...pixel)],
    ['w', 'weight', nv * nh,
      (k) => named(`between ${nameOfPixel(trace, Math.floor(k / nh))} and ${nameOfUnit(k % nh)}`),
      () => recent.q === undefined ? steepest('W') ?? initial.v * nh + initial.h : recent.q * nh + (recent.j ?? 0),
      inParts(...pixel, unit)],
    ['i', `input to ${thing}`, nv * nx,
      (k) => named(`from x at ${nameOfInput(k % nx)} to ${nameOfPixel(trace, Math.floor(k / nx))}`),
      () => recent.q === undefined ? steepest('W_vx') ?? initial.v * nx : recent.q * nx + (recent.k ?? 0),
      inParts(...pixel, ...from)],
    ['g', 'input to hidden unit', nh * nx,
      (k) => named(`from x at ${nameOfInput(k % nx)} to ${nameOfUnit(Math.floor(k / nx))}`),
      () => steepest('W_hx') ?? (recent.j ?? initial.h) * nx, inParts(unit, ...from)]]
    .filter(([pick]) => layered || 'vi'.includes(pick));
  const selector = lookAt(lab, picks), stage = made('div', 'stage', {}, canvas, selector.line);
  lab.chosen ??= layered ? { pick: 'h', index: initial.h } : { pick: 'v', index: initial.v };
  const levelOf = levelsOf();
  let place;

  // -- drawing --------------------------------------------------------------------------------------------
  const layout = (width) => {
    const abreast = width >= 600, rows = (some, wide) => Math.ceil(some / wide) / wide;
    const tall = (side) => side * Math.max(rows(nv, columns), rows(nx, inputs));
    const [a, b] = abreast ? [Math.min((width - 96) / 9, 96), Math.min((width - 96) / 9, 96)]
      : [(width - 28) / 5, (width - 22) / 4];
    const second = abreast ? 38 : 22 + tall(a) + 60;
    const spots = Array.from({ length: 9 }, (_, k) => k < 5 ? [k * (a + (abreast ? 8 : 6)) + 1, abreast ? 38 : 22, a]
      : abreast ? [k * (a + 8) + 29, second, b] : [(k - 5) * (b + 6) + 1, second, b]);
    const above = second + tall(b) + 26, wide = Math.min(width * .62, 300, 72 * columns);
    const left = (width - wide) / 2, net = layered ? networkOf({ nv, nh, columns, width, above, wide })
      : leaningOf({ count: nv, columns, wide, left, top: above + 8 });
    const below = leaningOf({ count: nx, columns: inputs, wide, left, top: net.bottom + 44 });
    place = { ...net, width, abreast, spots, tall, below, height: below.bottom + 26 };
  };
  const drawSpot = (ink, theme, k, name, values, wide, colour, { shown = 1, note, limit, align = 'center' } = {}) => {
    const [x0, y0, side] = place.spots[k];
    say(ink, theme, name, x0, y0 - 10, { size: 11, room: side + 4 });
    if (note) say(ink, theme, note, x0, y0 - 28, { size: 12, weight: 600, room: place.width - x0 });
    pictureIn(ink, theme, values, wide, [x0, y0, side, place.tall(side)], colour, shown);
    const under = { size: 11, colour: theme.soft, align }, middle = align === 'right' ? side : side / 2;
    if (limit && values) say(ink, theme, limit, x0 + middle, y0 + place.tall(side) + 10, under);
  };
  const drawSpots = (ink, theme, i, f, seen) => {
    const { kind } = phases[i], { name: table, wide, mark, of, to } = subject(), q = pixelOf();
    const own = table === 'W_vx' && same;
    const blue = (limit) => signedBy(limit, theme);
    const answers = i > Math.max(clamped, 0) && kind !== 'augmented', over = kind === 'free' ? ease(f, .5, .9) : 1;
    const b = bonus >= 0 && i >= bonus && i <= end ? phases[bonus].b : given.b;
    drawSpot(ink, theme, 0, 'input x', x, inputs, gray, { note: place.abreast && 'One row' });
    drawSpot(ink, theme, 1, b === given.b ? 'bias b(x)' : 'with bonus', i ? b : given.b, columns, blue(biases),
      { shown: i ? 1 : ease(f, .5, .85), limit: scaleOf(biases) });
    drawSpot(ink, theme, 2, 'clean', clean, columns, gray);
    drawSpot(ink, theme, 3, 'model', answers ? seen.v : undefined, columns, gray);
    const left = place.abreast ? 'clean − model' : 'difference', known = i >= end ? unlike : undefined;
    drawSpot(ink, theme, 4, left, known, columns, blue(1), { shown: over, limit: '±1' });
    for (const k of same ? [0, 1, 2, 3, 4] : [1, 2, 3, 4]) frameCell(ink, theme, columns, ...place.spots[k], pixelOf());
    const note = `${of} and ${to}${i >= gap ? ', over the mini-batch' : ''}`;
    tables(i).forEach(([name, values, limit], k) => {
      const shown = i === gap ? ease(f, k < 2 ? .05 : .3, k < 2 ? .25 : .5) : 1;
      const apart = k === 3 && own && values ? `, own ${fixed(values[q], 1)}` : '';
      drawSpot(ink, theme, 5 + k, name, values, wide, blue(limit), { shown: k < 3 ? shown : 1, note: k ? '' : note,
        limit: k < 2 ? '0 to 1' : `${scaleOf(limit)}${apart}`, align: apart ? 'right' : 'center' });
      if (values) frameCell(ink, theme, wide, ...place.spots[5 + k], mark);
    });
  };
  const fromInput = (kind) => !layered || 'ig'.includes(lab.chosen.pick)
    || ['given', 'start', 'augmented', 'begin'].includes(kind);
  const drawEdges = (ink, theme, i, f, { v, h, flow, g = ease(f, .02, .4) }) => {
    if (phases[i].folded) return;
    const { kind, at } = phases[i], [j0, q0] = [unitOf(), pixelOf()], { still } = lab;
    const last = i >= gap, below = fromInput(kind);
    const flash = i === gap ? ease(f, .35, .6) : kind === 'new' ? 1 - ease(f, .4, 1) : 0;
    const name = !below ? 'W' : q0 === undefined ? 'W_hx' : 'W_vx', limit = most[name];
    const of = (where, k, array) => !below && j0 !== undefined ? column(where, k, array, j0)
      : q0 === undefined ? line(where, k, array, 'h', j0) : line(where, k, array, 'v', q0);
    const scale = scaleFor(name, q0), W = of('models', at, name);
    const step = last ? of('phases', phases.length - 1, name) : undefined;
    if (!W) return;
    const ends = (k) => {
      const [hx, hy] = place.hidden?.(below ? j0 ?? 0 : j0 ?? k) ?? [], up = [hx, hy + place.radius];
      return below ? [place.below.pixel(k), q0 === undefined ? up : place.pixel(q0)]
        : [place.pixel(j0 === undefined ? q0 : k), up];
    };
    const mine = below ? inputOf() : lab.chosen.pick !== 'w' ? undefined : q0;
    const draw = (from, to, value, options) => drawEdge(ink, theme, from, to, value, { ...options, cell: place.cell });
    if (whole && !below) {
      const all = models[at].W;
      for (let q = 0; q < nv; q++) for (let j = 0; j < nh; j++) {
        if (j === j0 || q === q0) continue;
        const [hx, hy] = place.hidden(j), value = all[q * nh + j] / most.W.W * (1 - flash)
          + moved.W[q * nh + j] / rate / most.W.G * flash;
        const busy = !flow || flow === 'x' || (flow === 'v' ? v[q] : h[j]) > .5;
        draw(place.pixel(q), [hx, hy + place.radius], value, { chosen: false, busy });
      }
    }
    const least = levelOf(flash > .5 ? step : W);
    W.forEach((w, k) => {
      if (Math.abs(flash > .5 ? step[k] : w) < least && k !== mine) return;
      const pulled = flash ? step[k] / rate / limit.G : 0, [from, to] = ends(k);
      const value = clamp(w / scale, -1, 1) * (1 - flash) + pulled * flash;
      const [q, j] = j0 === undefined ? [q0, k] : [k, j0];
      const source = below ? x[k] : !flow || flow === 'x' ? 1 : flow === 'v' ? v[q] : h[j], busy = last || source > .5;
      draw(from, to, value, { chosen: mine === undefined || k === mine, busy });
      if (flow && busy && !still && (flow === 'x') === below) {
        drawMessage(ink, theme, from, to, clamp(w / scale, -1, 1), flow === 'h' ? 1 - g : g);
      }
    });
  };
  const drawBonus = (ink, theme, f) => {
    phases[bonus].b.forEach((b, q) => {
      if ((b > 0) === (given.b[q] > 0)) return;
      const [px, py] = place.pixel(q), r = clamp(place.cell / 5, 1.5, 5) * ease(f, .5, .8);
      ink.fillStyle = signed(b > 0 ? 1 : -1, 1, theme);
      ink.beginPath(); ink.arc(px, py, r, 0, 7); ink.fill();
      Object.assign(ink, { strokeStyle: '#fff', lineWidth: .75 });
      ink.stroke();
    });
  };
  const draw = (i, f, theme) => {
    const ink = sharp(canvas, place.width, place.height), seen = scene(i, f), small = { colour: theme.soft, size: 12,
      align: 'center' };
    drawSpots(ink, theme, i, f, seen);
    drawPixels(ink, theme, place.below, x, inputOf() ?? (same ? pixelOf() : undefined));
    drawPixels(ink, theme, place, seen.v, pixelOf());
    drawEdges(ink, theme, i, f, seen);
    if (i === bonus) drawBonus(ink, theme, f);
    if (layered) drawHidden(ink, theme, place, nh, seen, unitOf());
    say(ink, theme, `${shape ? 'pixels' : 'columns'}: ${seen.name}`, place.width / 2, place.bottom + 13, small);
    say(ink, theme, 'input x: the damaged image', place.width / 2, place.below.bottom + 13, small);
    Object.assign(recent, { j: unitOf() ?? recent.j, q: pixelOf() ?? recent.q, k: inputOf() ?? recent.k });
    selector.show();
  };

  const sum = (i) => {
    const found = summed(i);
    canvas.ariaLabel = `The network and its input. ${found.title}: ${found.verdict} Arrow keys choose another.`;
    return found;
  };

  // -- choosing -------------------------------------------------------------------------------------------
  const spotAt = (mx, my) => {
    const { pick } = lab.chosen, [j, q] = [unitOf(), pixelOf()], { wide, part } = subject();
    for (const [k, [x0, y0, side]] of place.spots.entries()) {
      const across = k > 4 ? wide : k ? columns : inputs, size = side / across;
      const count = (k > 4 ? part !== 'W' : !k) ? nx : nv;
      const [c, r] = [Math.floor((mx - x0) / size), Math.floor((my - y0) / size)], cell = r * across + c;
      if (c < 0 || r < 0 || c >= across || cell >= count) continue;
      if (k > 4) return part === 'W' ? { pick: 'w', index: cell * nh + j }
        : part === 'vx' ? { pick: 'i', index: q * nx + cell } : { pick: 'g', index: j * nx + cell };
      return !k && 'ig'.includes(pick) ? { pick, index: (pick === 'i' ? q : j) * nx + cell }
        : k || same ? { pick: 'v', index: cell } : undefined;
    }
    return undefined;
  };
  const weightAt = (mx, my) => layered && inputOf() === undefined
    ? edgeAt(place, nv, nh, unitOf(), pixelOf(), mx, my) : undefined;
  canvas.onclick = (event) => {
    const [mx, my] = pointedAt(event);
    const j = place.hiddenAt?.(mx, my), q = place.pixelAt(mx, my), k = place.below.pixelAt(mx, my), q0 = pixelOf();
    const below = q0 !== undefined ? { pick: 'i', index: q0 * nx + k } : { pick: 'g', index: unitOf() * nx + k };
    const at = j !== undefined ? { pick: 'h', index: j } : q !== undefined ? { pick: 'v', index: q }
      : k !== undefined ? below : weightAt(mx, my);
    const found = spotAt(mx, my) ?? at;
    if (found) lab.choose(found);
  };
  chooseByKeys(canvas, lab, () => ({
    h: { end: nh, down: place.few ? nh : place.across }, v: { end: nv, down: columns },
    w: { end: nv * nh, across: nh, down: columns * nh },
    i: { first: pixelOf() * nx, end: (pixelOf() + 1) * nx, down: inputs },
    g: { first: unitOf() * nx, end: (unitOf() + 1) * nx, down: inputs } }[lab.chosen.pick]));

  const icon = (ink, i, x0, y0, side, theme) => {
    const { kind, folded, v, residuals } = phases[i];
    if (folded) return residuals ? `${folded} rounds` : `${Math.round(folded / 2)} steps`;
    if (GIVEN_ICONS[kind]) return GIVEN_ICONS[kind];
    tile(ink, kind === 'given' ? x : v, kind === 'given' ? inputs : columns, x0, y0, side, gray, theme.line);
    return '';
  };
  return { seconds, stage, picks, rows: true, layout, draw, icon, sum };
};
