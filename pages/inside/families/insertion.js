// An insertion of Frank-Wolfe: what the model misses, the new unit as its search goes on, and all units with their
// counts.

import { made } from '../../frames/elements.js';
import { clamp, ease, largest, pointedAt, say, sharp, signed, fixed } from '../../frames/ink.js';
import { chooseByKeys, lookAt, nameOfUnit } from '../network.js';
import { barsIn, emptyPlace, frameCell, inGrays, inSigns, plotIn, rough, sayLines, scaleOf } from '../plots.js';
import { numbersOfInsertion } from './insertion_numbers.js';
import { sumsOfInsertion } from './insertion_sums.js';

const INSERTING = { samples: 4, present: 3, start: 2, search: 2.6, found: 3.5, away: 3, worth: 3, insert: 2.5,
  shrink: 2.5, line: 2.5, biases: 1.6, counts: 2, leave: 2.5, new: 3, over: 2 };
const FLIGHT = 3;                                 // seconds in which folded steps of counts and biases fly past
const OF_PARTS = [['samples', 'biases', 'new'], ['start', 'search', 'found', 'away', 'worth', 'line'],
  ['present', 'insert', 'shrink', 'counts', 'leave', 'over']];
const SIGNS = { present: 'slope', worth: '> 0?', away: '−1?', insert: '+1', shrink: '−1', line: 'J', biases: 'b',
  leave: '×', over: '■' };
const HEAD = 26, APART = 14;                      // pixels of a part's title, and between parts
const NOT_YET = 'It is not there yet: the search for it comes next. It is to answer to the data more than to what the '
  + 'model makes.';
const FIELDS = Array.from({ length: 61 }, (_, k) => (k - 30) / 5);
const ROOM = 520;                                 // pixels from which on things stand beside each other

export const view = (trace, lab) => {
  const { phases, shape } = trace, numbers = numbersOfInsertion(trace, lab.redraw);
  const { samples, present, start, found, insert, nv, nh, columns, fresh, gone, keyframes, stand, most } = numbers;
  const { over, once, rowsOf, pixelsOf, smallOf, weightsOf, keyframeIn, byChains, before } = numbers;
  const ratio = Math.ceil(nv / columns) / columns, nameOf = (j) => j === fresh ? 'new' : nameOfUnit(j);

  // -- what can be chosen ---------------------------------------------------------------------------------
  const picks = [['h', 'hidden unit', nh, (j) => j === fresh ? 'the new one' : `of ${nh}`],
    ['q', `weight of a ${shape ? 'pixel' : 'column'}`, nv + 1, numbers.pixelName]];
  lab.chosen ??= { pick: 'h', index: fresh };
  const canvas = made('canvas', 'picture', { tabIndex: 0, role: 'application' }), selector = lookAt(lab, picks);
  const stage = made('div', 'stage', {}, canvas, selector.line);
  const chosen = () => {
    const { pick, index } = lab.chosen;
    return pick === 'q' ? { q: Math.min(index, nv) } : { j: Math.min(index, fresh) };
  };

  // -- what the model misses ------------------------------------------------------------------------------
  let place, hits = [];
  const layout = (width) => {
    const wide = width >= ROOM, fit = (side, tall) => Math.min(side, tall / ratio);
    const small = fit(28, 40), mean = fit(wide ? 76 : (width - 38) / 4, 90), meanStep = mean + (wide ? 14 : 12);
    const strip = wide ? width - 4 * meanStep - 8 : width, across = Math.max(3, Math.floor((strip + 4) / (small + 4)));
    const ofRows = 2 * (small * ratio + 28), ofMeans = mean * ratio + 38;
    const w = fit(wide ? 132 : 118, 160), pull = fit(wide ? 84 : (width - 42) / 4, 100);
    const tall = Math.max(w * ratio, 96), second = 18 + tall + 58;
    const unit = fit(40, 56), step = unit + 12, beside = Math.max(1, Math.floor(width / step));
    const lines = Math.min(wide ? 2 : 3, Math.ceil(nh / beside)), block = unit * ratio + 66;
    const tops = [HEAD];
    tops.push(tops[0] + (wide ? Math.max(ofRows, ofMeans) : ofRows + ofMeans) + APART + HEAD);
    tops.push(tops[1] + second + Math.max(pull * ratio + 26, 96) + APART + HEAD);
    place = { width, wide, small, mean, meanStep, strip, across, ofRows, w, pull, tall, second, unit, step, beside,
      lines, block, tops, height: tops[2] + lines * block + 8 };
  };
  // A picture of weights or means, in which a pixel can be chosen, with its name and scale above.
  const panel = (ink, theme, { name, values, x, y, side, limit, scale, still }) => {
    const { q } = chosen(), tall = side * ratio, room = side + 10;
    say(ink, theme, name, x, y - (scale ? 23 : 9), { weight: 600, size: 12, room: scale ? room : 2 * side });
    if (scale) say(ink, theme, scale, x, y - 9, { size: 11, colour: theme.soft, room });
    const some = values.length > nv ? pixelsOf(values) : values;
    if (limit) inSigns(ink, theme, some, columns, x, y, side, limit);
    else inGrays(ink, theme, some, columns, x, y, side);
    if (still) return;
    if (q < nv) frameCell(ink, theme, columns, x, y, side, q);
    hits.push({ x, y, width: side, height: tall, cell: side / columns });
    if (values.length === nv) return;
    const cell = clamp(side / 8, 9, 16), low = y + tall + 4;               // the hidden bias, a cell by itself
    ink.fillStyle = signed(values[nv], limit, theme);
    ink.fillRect(x, low, cell, cell);
    Object.assign(ink, { strokeStyle: q === nv ? theme.chosen : theme.line, lineWidth: q === nv ? 2 : 1 });
    ink.strokeRect(x - .5, low - .5, cell + 1, cell + 1);
    say(ink, theme, 'bias', x + cell + 5, low + cell / 2, { size: 11, colour: theme.soft });
    hits.push({ x, y: low - 2, width: side, height: 24, pick: 'q', index: nv });
  };
  const drawRows = (ink, theme, i, f, y0) => {
    const { small, strip, across, ofRows } = place, first = i === 0, tall = small * ratio;
    const went = first && byChains && f < .3 && !lab.still, { model, model_weight: weight } = stand[i].rows;
    const [n, m] = [samples.data_rows[0], samples.model_rows[0]].map((count) => count.toLocaleString('en'));
    const stands = !byChains ? `${m} states, the likeliest first` : went ? 'chains, before they go on' : `${m} chains`;
    const lines = [['data', `${n} rows`, samples.data, samples.data_weight],
      ['model', stands, went ? samples.before : model, weight]];
    lines.forEach(([name, what, some, shares], k) => {
      const y = y0 + k * ofRows / 2;
      say(ink, theme, `${name}: ${what}`, 0, y + 8, { size: 12, colour: theme.soft, room: strip });
      rowsOf(some).slice(0, across).forEach((row, at) => {
        const x = 1 + at * (small + 4);
        ink.globalAlpha = first ? ease(f, .02 * at, .02 * at + .1) : 1;
        inGrays(ink, theme, row, columns, x, y + 18, small);
        ink.globalAlpha = 1;
        ink.fillStyle = theme.soft;                                         // how probable it is
        if (!byChains) ink.fillRect(x, y + 21 + tall, small * shares[at] / most.share, 4);
      });
    });
  };
  const drawMeans = (ink, theme, i, f, y0) => {
    const { mean, meanStep, strip, wide, ofRows } = place, { b, mean: model, missing } = stand[i];
    const left = wide ? strip + 12 : 1, y = y0 + 36 + (wide ? 0 : ofRows);
    const known = i === 0 ? [ease(f, .35, .5), ease(f, .35, .5), ease(f, .6, .8), 1] : [1, 1, 1, 1];
    const lines = [['data', 'mean', samples.data_mean], ['− model', 'mean', model],
      ['= missing', most.agree ? 'next to nothing' : scaleOf(most.missing), missing, most.missing],
      ['biases', scaleOf(most.b), b, most.b]];
    lines.forEach(([name, scale, values, limit], k) => {
      ink.globalAlpha = known[k];
      panel(ink, theme, { name, scale, values, x: left + k * meanStep, y, side: mean, limit });
    });
    ink.globalAlpha = 1;
  };

  // -- the new unit ---------------------------------------------------------------------------------------
  const drawStarts = (ink, theme, y0) => {
    const { w, width } = place, starts = rowsOf(start.w), side = clamp((width + 8) / starts.length - 10, 40, w * .8);
    starts.slice(0, Math.floor((width + 10) / (side + 10))).forEach((each, k) => {
      const x = 1 + k * (side + 10), limit = largest(each);
      panel(ink, theme, { name: `start ${k + 1}`, values: each, x, y: y0 + 18, side, limit, still: true });
      say(ink, theme, scaleOf(limit), x, y0 + side * ratio + 28, { size: 11, colour: theme.soft });
    });
  };
  const drawEnds = (ink, theme, x0, y0, room) => {
    const ends = rowsOf(found.ended), side = clamp((room + 8) / ends.length - 8, 44, Math.min(place.w * .7, 76));
    const best = ends[found.best[0]], few = ends.slice(0, Math.max(1, Math.floor((room + 8) / (side + 8))));
    if (!few.includes(best)) few[few.length - 1] = best;
    say(ink, theme, `where ${ends.length > 1 ? 'each' : 'the'} start led to, and f there`, x0, y0 - 9,
      { weight: 600, size: 12, room });
    few.forEach((each, k) => {
      const x = x0 + 2 + k * (side + 8), f = found.reached[ends.indexOf(each)], weight = each === best ? 600 : 400;
      inSigns(ink, theme, pixelsOf(each), columns, x, y0 + 3, side, largest(each));
      say(ink, theme, fixed(f), x, y0 + side * ratio + 16, { size: 11, weight, room: side + 6 });
      if (each !== best) return;
      Object.assign(ink, { strokeStyle: theme.text, lineWidth: 3 });
      ink.strokeRect(x - 1.5, y0 + 1.5, side + 3, side * ratio + 3);
    });
  };
  // At what share of the rows the unit is on with so much probability: data above the line, model below it.
  const drawApart = (ink, theme, x0, y0, room, f) => {
    const bins = found.data_on.length, step = (room - 62) / bins, bar = Math.max(step - 2, 1), tall = 30;
    const top = largest(found.data_on, found.model_on), mid = y0 + 12 + tall, grown = ease(f, .3, .7), left = x0 + 50;
    say(ink, theme, 'how surely it is on: shares of the rows', x0, y0, { weight: 600, size: 12, room });
    [['data', -1, found.data_on, theme.text], ['model', 1, found.model_on, theme.soft]].forEach((each) => {
      const [name, way, some, colour] = each;
      say(ink, theme, name, x0, mid + way * 13, { size: 12 });
      ink.fillStyle = colour;
      some.forEach((n, k) => {
        const far = tall * grown * n / top;
        ink.fillRect(left + k * step + 1, way < 0 ? mid - far : mid + 1, bar, far);
      });
    });
    ink.fillStyle = theme.text;
    ink.fillRect(left, mid, room - 62, 1);
    const axis = { size: 11, colour: theme.soft };
    say(ink, theme, 'off: p = 0', left, mid + tall + 10, axis);
    say(ink, theme, 'on: p = 1', x0 + room - 12, mid + tall + 10, { ...axis, align: 'right' });
  };
  const drawPulls = (ink, theme, frame, y) => {
    const { pull, width } = place, same = 'same scale';
    const step = Math.min((width - pull - 2) / 3, pull + 50);
    const lines = [['data', `0 to ${rough(most.pull)}`, frame.data_pull, most.pull],
      ['− model', same, frame.model_pull, most.pull], ['− price', same, frame.price_pull, most.pull],
      ['= slope', scaleOf(most.slope), frame.slope, most.slope]];
    lines.forEach(([name, scale, values, limit], k) =>
      panel(ink, theme, { name, scale, values, x: 1 + k * step, y, side: pull, limit }));
  };
  const OF_UNIT = {
    search: (ink, theme, { frame, x, y, width, height }) => {
      const [xs, ys] = once('curve', () => [[...found.curve.keys()], [...found.curve]]), n = frame.iteration[0];
      plotIn(ink, theme, { x, y, width, height, xs, ys, at: [n, ys[n]], title: 'objective f: the lower, the better',
        left: `f = ${fixed(ys[n])}`, right: `iteration ${n} of ${xs.at(-1)}` });
    },
    worth: (ink, theme, { phase, x, y, width }) => {
      const { data, model, price } = keyframes.at(-1), [value, bound] = [-phase.value[0], -phase.bound[0]];
      say(ink, theme, 'is it worth its price?', x, y - 9, { weight: 600, size: 12, room: width });
      const again = phase.again[0], gain = { name: again ? 'on other chains' : '= gain −f', value };
      const terms = [{ name: 'data answer', value: data[0] }, { name: '− model answers', value: -model[0] },
        { name: '− its price', value: -price[0] }];
      barsIn(ink, theme, again ? [gain, { name: 'chance alone', value: bound }] : [...terms, gain], x, y, width);
    },
    away: (ink, theme, { phase, x, y, width }) => {
      say(ink, theme, 'what gains more', x, y - 9, { weight: 600, size: 12, room: width });
      barsIn(ink, theme, [{ name: `${nameOf(phase.worst[0])} goes`, value: phase.lead[0] },
        { name: 'new one comes', value: phase.rival[0] }], x, y, width);
    },
    line: (ink, theme, { phase, x, y, width, height }) => {
      const [xs, ys, after] = [[...phase.grid], [...phase.J], phase.after[0]];
      const near = xs.reduce((best, count, k) => Math.abs(count - after) < Math.abs(xs[best] - after) ? k : best, 0);
      plotIn(ink, theme, { x, y, width, height, xs, ys, at: [after, ys[near]],
        right: `count ${rough(xs.at(-1))}`,
        title: byChains ? 'J along its count, but for a constant' : 'J along its count, nats', left: 'count 0' });
    },
  };
  const drawNew = (ink, theme, i, f, y0) => {
    const { w, width, tall, second } = place, { kind } = phases[i], y = y0 + 18;
    if (!over(i, 'present')) {
      emptyPlace(ink, theme, 1, y, w, w * ratio);
      plotIn(ink, theme, { x: w + 26, y, width: width - w - 30, height: tall - 8, xs: FIELDS,
        ys: FIELDS.map((field) => Math.log1p(Math.exp(field))), title: 'how a unit answers',
        left: 'misfit: 0', right: 'fit: much' });
      sayLines(ink, theme, NOT_YET, 1, y0 + second - 20, width - 4, { size: 13, gap: 19 });
      return;
    }
    if (kind === 'start') { drawStarts(ink, theme, y0); return; }
    const frame = keyframeIn(i, f), values = kind === 'search' ? frame.w : found.unit, limit = largest(values);
    const x = w + 26, room = { x, y, width: width - x - 4, height: tall - 8 };
    panel(ink, theme, { name: `weights w, ${scaleOf(limit)}`, values, x: 1, y, side: w, limit });
    if (OF_UNIT[kind]) OF_UNIT[kind](ink, theme, { ...room, frame, phase: phases[i] });
    else drawEnds(ink, theme, x, y, room.width);
    if (kind === 'search') drawPulls(ink, theme, frame, y0 + second);
    else drawApart(ink, theme, 1, y0 + second - 22, Math.min(width - 2, 460), kind === 'found' ? f : 1);
  };

  // -- all units --------------------------------------------------------------------------------------------
  // Those that have room, in their order: the new one, the chosen one, those that leave, and those that count most.
  const seen = () => {
    const room = place.beside * place.lines, all = [...Array(nh).keys()], { j: mine } = chosen();
    const worth = (j) => j === fresh ? 4 : j === mine ? 3 : gone.has(j) ? 2
      : Math.max(stand[0].counts[j], stand.at(-1).counts[j]) / most.count;
    return nh <= room ? all : once(`${room} ${mine}`, () => all.sort((a, b) => worth(b) - worth(a)).slice(0, room)
      .sort((a, b) => a - b));
  };
  const drawUnits = (ink, theme, i, f, y0) => {
    const { unit, step, beside, block, w, tops } = place, { kind, folded } = phases[i], from = before(i), to = stand[i];
    const share = folded ? f : ease(f, .2, .8), tall = unit * ratio, bar = 34, { j: mine } = chosen();
    seen().forEach((j, k) => {
      const x = 2 + (k % beside) * step, y = y0 + Math.floor(k / beside) * block, mid = y + bar, low = mid + 3 + tall;
      if (j === fresh && !(insert && (kind === 'insert' || over(i, 'insert')))) return;
      const count = from.counts[j] + (to.counts[j] - from.counts[j]) * share;
      const [was, is] = [from.counts[j], count].map((some) => bar * some / most.count);
      ink.fillStyle = theme.soft;
      ink.fillRect(x + unit * .25, mid - is, unit * .5, is);
      if (Math.abs(was - is) > .5) {
        Object.assign(ink, { strokeStyle: theme.text, lineWidth: 1 });
        ink.setLineDash([2, 2]);
        ink.strokeRect(x + unit * .25 - .5, mid - was + .5, unit * .5 + 1, was);
        ink.setLineDash([]);
      }
      // The new one comes from where it was found.
      const g = kind === 'insert' && j === fresh && !lab.still ? ease(f, .1, .8) : 1;
      const [px, py, side] = [1 + (x - 1) * g, tops[1] + 18 + (mid - 15 - tops[1]) * g, w + (unit - w) * g];
      const leaves = gone.has(j) && kind === 'leave', lost = gone.has(j) && over(i, 'leave'), weights = weightsOf(j);
      ink.globalAlpha = lost ? .25 : leaves ? 1 - .75 * ease(f, .4, .9) : 1;
      if (weights) inSigns(ink, theme, smallOf(weights), columns, px, py, side, most.W);
      else emptyPlace(ink, theme, px, py, side, side * ratio);
      ink.globalAlpha = 1;
      if (j === mine) {
        Object.assign(ink, { strokeStyle: theme.chosen, lineWidth: 3 });
        ink.strokeRect(px - 2, py - 2, side + 4, side * ratio + 4);
      }
      if (lost || leaves) {
        Object.assign(ink, { strokeStyle: theme.text, lineWidth: 2 });
        ink.beginPath(); ink.moveTo(x, low); ink.lineTo(x + unit, mid + 3); ink.stroke();
      }
      const slope = kind === 'present' ? present.slope[j] : undefined, room = step - 1;
      say(ink, theme, nameOf(j), x, low + 10, { size: 11, colour: theme.soft, room });
      const calm = slope === undefined || present.rests[j];
      const counted = lost ? 'gone' : rough(count);
      const below = slope === undefined ? counted : calm ? '≈ 0' : fixed(slope);
      const colour = calm ? theme.text : signed(slope, 1e-9, theme);
      say(ink, theme, below, x, low + 24, { size: 11, room, colour });
      hits.push({ x: x - 6, y, width: step, height: block, pick: 'h', index: j });
    });
    if (!present.count.length && !over(i, 'insert') && kind !== 'insert') {
      say(ink, theme, 'There are none yet.', 2, y0 + 14, { colour: theme.soft });
    }
  };

  const draw = (i, f, theme) => {
    const ink = sharp(canvas, place.width, place.height), { kind } = phases[i], few = seen().length;
    const here = OF_PARTS.findIndex((kinds) => kinds.includes(kind));
    const what = kind === 'present' ? 'how much J would rise with their counts' : 'how often they count';
    const parts = [['What the model misses', drawRows, drawMeans], ['The new unit', drawNew],
      [`${few < nh ? `${few} of ${nh}` : 'All'} units, and ${what}; weights ${scaleOf(most.W)}`, drawUnits]];
    hits = [];
    parts.forEach(([name, ...drawn], k) => {
      const top = place.tops[k], mine = k === here;
      say(ink, theme, name, mine ? 10 : 0, top - 14, { weight: mine ? 600 : 400, size: 14, room: place.width - 12 });
      ink.fillStyle = theme.text;
      if (mine) ink.fillRect(0, top - 22, 4, 16);
      drawn.forEach((each) => each(ink, theme, i, f, top));
    });
    selector.show();
  };

  const sums = sumsOfInsertion(trace, numbers);
  const sum = (i) => {
    const said = sums(i, chosen());
    canvas.ariaLabel = `What the model misses, the new unit, and how often all units count. ${said.title}: `
      + `${said.verdict} Arrow keys choose another.`;
    return said;
  };

  // -- choosing -------------------------------------------------------------------------------------------
  canvas.onclick = (event) => {
    const [px, py] = pointedAt(event);
    const hit = hits.findLast(({ x, y, width, height }) =>
      px >= x && py >= y && px < x + width && py < y + height);
    if (!hit) return;
    const { cell, pick = 'q' } = hit, [r, c] = [py - hit.y, px - hit.x].map((far) => Math.floor(far / cell));
    const index = cell ? r * columns + c : hit.index;
    if (!cell || index < nv) lab.choose({ pick, index });
  };
  chooseByKeys(canvas, lab, () => {
    const { q, j } = chosen();
    return q === undefined ? { pick: 'h', index: j, end: nh, down: place.beside }
      : { pick: 'q', index: q, end: nv + 1, down: columns };
  });

  const icon = (ink, i, x, y, side, theme) => {
    const { kind, folded } = phases[i], wide = Math.min(side, side / ratio);
    if (kind === 'samples' || kind === 'new') inGrays(ink, theme, stand[i].mean, columns, x, y, wide);
    else if (kind === 'start' || kind === 'search' || kind === 'found') {
      const w = kind === 'start' ? rowsOf(start.w)[0] : kind === 'search' ? keyframeIn(i, 1).w : found.unit;
      inSigns(ink, theme, pixelsOf(w), columns, x, y, wide, largest(w));
    } else if (kind === 'counts') {
      const { counts } = stand[i], step = side / counts.length;
      ink.fillStyle = theme.soft;
      counts.forEach((count, j) => {
        const tall = side * count / most.count;
        ink.fillRect(x + j * step, y + side - tall, Math.max(step - 1, .5), tall);
      });
    } else return folded ? '…' : SIGNS[kind];
    return '';
  };
  const seconds = phases.map(({ kind, folded }) => folded && kind !== 'search' ? FLIGHT : INSERTING[kind]);
  return { seconds, stage, picks, rows: false, layout, draw, icon, sum };
};
