// A greedy step: what could be done as a list with gain and price, what is done, and the table of means that follows.

import { made } from '../../frames/elements.js';
import { clamp, ease, inkOn, largest, pointedAt, say, sharp, signed, tile, fixed } from '../../frames/ink.js';
import { lookAt } from '../network.js';
import { NOW } from '../player.js';
import { sayLines } from '../plots.js';
import { stepOf } from './greedy_step.js';
import { sumsOf } from './greedy_sums.js';

const OFFER = { row: 46, head: 40, foot: 100 };    // pixels: a line of the list, above it, and the description below it
const CHARACTER = 6, NAMED_ROOM = 84, NAMED_CELL = 14;   // pixels: of a name's letter; names at most; cells at least

export const view = (trace, lab) => {
  const step = stepOf(trace);
  const {
    phases, offers, briefly, called, capital, percent, nats, plain, bought, there, appended, lists, best, title, none,
    chosen, pairs, sizes,
  } = step;
  const { ofOffer, ofTerm, ofChosen, ofCell } = sumsOf(trace, step);

  // -- choosing: in each phase of what it shows ------------------------------------------------------------
  const first = (name) => [NOW, name, 1, () => ''], offer = ['c', 'offer', bought.length, (k) => bought[k].words];
  const term = ['p', 'term', there.length, (k) => there[k].words], cells = pairs?.term.length ?? 0;
  const choices = { present: [first('best move'), term], candidates: [first('best offer'), offer],
    chosen: [first('what the step does'), appended ? offer : term],
    pairs: [first('the term itself'), ['y', 'mean', cells, (k) => called(pairs.term[k])]] };
  choices.over = choices.candidates;
  for (const kind in choices) choices[kind] = choices[kind].filter(([, , count]) => count);
  let place, last = { i: 0, f: 0 };
  const effective = (i) => {
    const { pick, index } = lab.chosen, fits = ([each, , count]) => each === pick && index < count;
    return choices[phases[i].kind].some(fits) ? lab.chosen : { pick: NOW, index: 0 };
  };
  lab.chosen ??= { pick: NOW, index: 0 };
  const selectors = phases.map(({ kind }, i) =>
    lookAt({ get chosen() { return effective(i); }, choose: (what) => lab.choose(what) }, choices[kind]));
  const canvas = made('canvas', 'picture', { tabIndex: 0, role: 'application' });
  const stage = made('div', 'stage', {}, canvas, ...selectors.map(({ line }) => line));
  const seconds = phases.map(({ kind }) => kind === 'pairs' ? 4 : 3);

  // -- where things are ------------------------------------------------------------------------------------
  const lines = Math.max(1, ...Object.values(lists).map((list) => list.length));
  const across = () => {
    let wide = 1;
    for (const i of pairs.variables) if (wide * wide < cells) wide *= sizes[i];
    return wide;
  };
  const layout = (width) => {
    const wide = width >= 560, shown = Math.min(lines, wide ? 8 : 6);
    const columns = cells ? across() : 1, rows = Math.ceil(cells / columns);
    const names_ = { across: Array.from({ length: columns }, (_, k) => pairs ? briefly(pairs.term[k]) : ''),
      down: Array.from({ length: rows }, (_, k) => pairs ? briefly(pairs.term[k * columns]) : '') };
    const roomOf = (some) => 8 + CHARACTER * Math.max(...some.map(({ length }) => length));
    const sideBeside = (left) => Math.min((width - 28 - left) / 2, 330 * Math.min(1, columns / rows));
    const [longest, tallest] = [roomOf(names_.down), roomOf(names_.across)];
    const named = Math.max(longest, tallest) <= NAMED_ROOM && sideBeside(longest) / columns >= NAMED_CELL;
    const left = named ? longest : 0, top = 46 + (named ? tallest : 10), side = sideBeside(left);
    const list = OFFER.head + shown * OFFER.row + OFFER.foot;
    const table = cells ? top + side * rows / columns + (wide ? 84 : 134) : 0;
    place = { width, wide, shown, columns, rows, side, left, top, names: named && names_, gap: 28,
      height: Math.max(list, table) };
  };
  // The first line that is shown, so that the one that is looked at is among them.
  const firstLine = (i) => {
    const { pick, index } = effective(i), at = pick === NOW ? (phases[i].kind === 'chosen' ? best : 0) : index;
    return clamp(at - place.shown + 1, 0, Math.max(0, lists[phases[i].kind].length - place.shown));
  };

  // -- drawing ---------------------------------------------------------------------------------------------
  const bar = (ink, theme, x, y, width, tall, value, limit) => {
    ink.fillStyle = signed(value, 1e-9, theme, .85);
    ink.fillRect(x, y, Math.max(1, width * Math.abs(value) / limit), tall);
  };
  const drawList = (ink, theme, i, f) => {
    const { kind } = phases[i], list = lists[kind], { width, wide, shown } = place, { pick, index } = effective(i);
    const grown = kind === 'chosen' || kind === 'over' ? 1 : ease(f, .05, .6), of = list === there;
    const x = wide ? width * .44 : 0, room = (wide ? width - x : width) - 84;
    const most = of ? largest(there.flatMap(({ moving, dropping }) => [moving, dropping]))
      : largest(bought.flatMap(({ gain, price }) => [gain, price]));
    const soft = { size: 11, colour: theme.soft };
    const bars = of ? x + 54 : x, long = room - (bars - x), colours = [theme.plus, theme.minus];
    if (!of) ['gain', 'price'].forEach((name, k) => say(ink, theme, name, x + 48 * k, OFFER.head - 9,
      { ...soft, weight: 600, colour: `rgb(${colours[k]})` }));
    say(ink, theme, of ? 'description shorter (+) or longer (−) by' : 'shorter by', width - 8, OFFER.head - 9,
      { ...soft, align: 'right' });
    const from = firstLine(i), what = kind === 'chosen' ? best : -1;
    list.slice(from, from + shown).forEach((each, n) => {
      const k = from + n, top = OFFER.head + n * OFFER.row, mine = pick !== NOW && index === k, done = k === what;
      const told_ = mine || (pick === NOW && k === (kind === 'chosen' ? best : 0)), weight = done ? 600 : 400;
      if (told_) { ink.fillStyle = theme.second; ink.fillRect(0, top, width, OFFER.row - 2); }
      ink.globalAlpha = what >= 0 && !done && !mine ? 1 - .55 * ease(f, .1, .5) : 1;
      const y = wide ? top + 10 : top + 24, text = of ? `${each.words} (strength ${plain(each.value, 2)})` : each.words;
      say(ink, theme, capital(text), 6, wide ? top + OFFER.row / 2 - 1 : top + 12,
        { weight, room: wide ? x - 16 : width - 12 });
      const both = of ? [each.moving, each.dropping] : [each.gain, -each.price];
      both.forEach((value, row) => bar(ink, theme, bars, y + (of ? 12 : 10) * row, long * grown, 8, value, most));
      if (of) ['moved', 'dropped'].forEach((name, row) => say(ink, theme, name, bars - 6, y + 4 + 12 * row,
        { ...soft, align: 'right' }));
      if (of && grown >= 1) both.forEach((value, row) => say(ink, theme, nats(value), width - 8, y + 4 + 12 * row,
        { size: 11, align: 'right', weight: value > 0 ? 600 : 400 }));
      else if (grown >= 1) say(ink, theme, nats(each.worth), width - 8, y + 9, { align: 'right', weight });
      ink.globalAlpha = 1;
      if (mine || done) {
        Object.assign(ink, { strokeStyle: theme.chosen, lineWidth: mine && !done ? 1.5 : 3 });
        ink.strokeRect(1.5, top + .5, width - 3, OFFER.row - 3);
      }
    });
    if (!list.length) say(ink, theme, none.short, 6, OFFER.head + 20);
    if (list.length > shown) {
      const text = `lines ${from + 1} to ${from + shown} of ${list.length}`;
      say(ink, theme, text, 0, OFFER.head + shown * OFFER.row + 6, soft);
    }
    if (kind === 'candidates' || kind === 'over') drawLooked(ink, theme, f);
    if (chosen) drawLength(ink, theme, kind === 'chosen' ? ease(f, .3, .8) : 0);
  };
  const drawLooked = (ink, theme, f) => {
    const [looked, skipped] = [offers.looked[0], offers.skipped[0]], all = (looked + skipped).toLocaleString('en');
    const part = phases[last.i].kind === 'over' ? 1 : ease(f, 0, .5);
    const why = place.wide ? ', for a bound on their gain is below their price' : ' by a bound';
    const [seen, left] = [looked, skipped].map((count) => count.toLocaleString('en'));
    const few = looked > bought.length ? ` (the best ${bought.length} below)` : '';
    const text = `${all} terms: ${seen} looked at${few}, ${left} skipped${why}`;
    say(ink, theme, text, 0, 8, { size: 12, colour: theme.soft, room: place.width });
    const long = place.width * part, dark = Math.max(1, long * looked / Math.max(1, looked + skipped));
    ink.fillStyle = theme.line; ink.fillRect(0, 18, long, 3);
    ink.fillStyle = theme.text; ink.fillRect(0, 18, dark, 3);
  };
  // The description: what is left to say of the rows, and what the terms cost, before and after.
  const drawLength = (ink, theme, done) => {
    const top = place.height - OFFER.foot + 30, { width } = place, left = 64, room = width - left - 68;
    const [before, after] = chosen.costs, limit = Math.max(before, after, 1e-9);
    const both = [['before', before, chosen.kls[0], 1], ['after', after, chosen.kls[1], done]];
    const terms = `its terms (${theme.dark ? 'light' : 'dark'})`;
    const open = place.wide ? 'Description, nats per row: what the model leaves open (grey)'
      : 'Nats per row: left open (grey)';
    say(ink, theme, `${open}, ${terms}`, 0, top,
      { size: 11, colour: theme.soft, room: width });
    both.forEach(([name, cost, kl, shown], k) => {
      const y = top + 12 + k * 24;
      if (!shown) return;
      ink.globalAlpha = shown;
      say(ink, theme, name, 0, y + 8, { size: 12 });
      const gray_ = room * Math.max(0, kl) / limit;
      ink.fillStyle = theme.soft; ink.fillRect(left, y, gray_, 16);
      ink.fillStyle = theme.text; ink.fillRect(left + gray_ + 1, y, Math.max(0, room * cost / limit - gray_), 16);
      say(ink, theme, plain(cost), width - 2, y + 8, { size: 13, align: 'right', weight: 600 });
      ink.globalAlpha = 1;
    });
  };
  const cellAt = (k, which) => {
    const { side, columns, gap, left, top } = place, cell = side / columns;
    return [left + which * (side + gap) + (k % columns + .5) * cell, top + (Math.floor(k / columns) + .5) * cell, cell];
  };
  const itself = pairs ? Math.max(0, pairs.term.indexOf(chosen.term[0])) : 0;
  const drawPairs = (ink, theme, i, f) => {
    const { side, columns, rows, gap, width, top, names: named } = place;
    const done = ease(f, .25, .75), { pick, index } = effective(i);
    const mine = pick === NOW ? itself : index, limit = 1, partner = pairs.term.indexOf(pairs.partner[mine]);
    const now = pairs.before.map((value, k) => value + (pairs.after[k] - value) * done);
    const soft = { size: 11, colour: theme.soft };
    const when = done >= 1 ? 'after' : done > 0 ? 'on its way' : 'before', cell = side / columns;
    [[`the model, ${when}`, now, 0], ['the data', pairs.data, 1]].forEach(([name, some, which]) => {
      const left = place.left + which * (side + gap);
      say(ink, theme, name, left, 34, { weight: 600, room: side });
      if (named) named.across.forEach((text, k) => {
        ink.save();
        ink.translate(left + (k + .5) * cell, top - 5);
        ink.rotate(-Math.PI / 2);
        say(ink, theme, text, 0, 0, soft);
        ink.restore();
      });
      tile(ink, some, columns, left, top, side, (value) => signed(value, limit, theme), theme.line);
      if (cell >= 34) some.forEach((value, k) => say(ink, theme, fixed(value), ...cellAt(k, which).slice(0, 2),
        { size: 11, align: 'center', colour: inkOn(value, limit, theme) }));
    });
    const frame = (k, which, colour) => {
      const [cx, cy] = cellAt(k, which), half = Math.max(cell / 2, 4);
      Object.assign(ink, { strokeStyle: colour, lineWidth: 2.5 });
      ink.strokeRect(cx - half, cy - half, 2 * half, 2 * half);
    };
    if (partner >= 0 && partner !== mine) {
      const [ax, ay] = cellAt(mine, 0), [bx, by] = cellAt(partner, 0);
      Object.assign(ink, { strokeStyle: theme.text, lineWidth: 2 });
      const bend = Math.min(44, .3 * Math.hypot(bx - ax, by - ay));      // past the numbers between them
      ink.beginPath(); ink.moveTo(ax, ay);
      ink.quadraticCurveTo((ax + bx) / 2 + (bx === ax ? bend : 0), (ay + by) / 2 + (bx === ax ? 0 : bend), bx, by);
      ink.stroke();
      frame(partner, 0, theme.text);
    }
    frame(mine, 0, theme.chosen);
    frame(mine, 1, theme.chosen);
    if (named) named.down.forEach((text, k) =>
      say(ink, theme, text, place.left - 5, top + (k + .5) * cell, { ...soft, align: 'right' }));
    const half = (mean) => percent((1 + mean) / 2);
    const of = `${called(pairs.term[mine])} is +1 in ${half(now[mine])} of the rows, in the data in `
      + `${half(pairs.data[mine])}`, y = top + rows * cell + 16;
    say(ink, theme, of, 0, y, { size: 12, room: width });
    const few = pairs.term.length < sizes.reduce((product, size) => product * size, 1);
    const held = few ? `Each cell is one of ${cells.toLocaleString('en')} terms, of ${pairs.variables.length} columns`
      : 'Each cell is a term', counts = sizes.every((size) => size === 2)
      ? 'a column counts +1 where it has its first value (0) and −1 where its second (1), several are multiplied'
      : 'it counts +1 or −1 in each row';
    sayLines(ink, theme, `${held}, the name of its row times that of its column: ${counts}. Its mean is blue above 0, `
      + 'red below; ±1 is always, 0 (empty) is as often +1 as −1.', 0, y + 18, width, { size: 11, colour: theme.soft });
  };
  const draw = (i, f, theme) => {
    last = { i, f };
    selectors.forEach(({ line, show }, k) => { line.hidden = k !== i; if (k === i) show(); });
    const ink = sharp(canvas, place.width, place.height), { kind } = phases[i];
    if (kind === 'pairs') {
      say(ink, theme, title[kind], 0, 10, { weight: 600, size: 14, room: place.width });
      drawPairs(ink, theme, i, f);
    } else {
      if (kind === 'present' || kind === 'chosen') {
        const what = kind === 'chosen' && lists.chosen[best] ? `: ${lists.chosen[best].words}` : '';
        say(ink, theme, title[kind] + what, 0, 10, { weight: 600, size: 14, room: place.width });
      }
      drawList(ink, theme, i, f);
    }
  };

  // -- the arithmetic --------------------------------------------------------------------------------------
  const summed = (i) => {
    const { pick, index } = effective(i), { kind } = phases[i];
    if (pick === 'c') return ofOffer(index);
    if (pick === 'p') return ofTerm(index);
    if (pick === 'y') return ofCell(index);
    if (kind === 'chosen') return ofChosen();
    if (kind === 'pairs') return ofCell(itself);
    return kind === 'present' ? ofTerm(0) : bought.length ? ofOffer(0) : none;
  };
  const sum = (i) => {
    const said = summed(i), { title: head, verdict } = said;
    canvas.ariaLabel = `${title[phases[i].kind]}. ${head}. ${verdict} Up and down arrow keys choose another.`;
    return said;
  };

  // -- choosing --------------------------------------------------------------------------------------------
  canvas.onclick = (event) => {
    const [x, y] = pointedAt(event);
    const { kind } = phases[last.i], pick = choices[kind].at(-1)[0];
    if (kind === 'pairs') {
      const { side, columns, rows, gap, top } = place, cell = side / columns, from = x - place.left;
      const within = from > side + gap / 2 ? from - side - gap : from;
      const [c, r] = [Math.floor(within / cell), Math.floor((y - top) / cell)], k = r * columns + c;
      if (c >= 0 && c < columns && r >= 0 && r < rows && k < cells) lab.choose({ pick, index: k });
      return;
    }
    const k = firstLine(last.i) + Math.floor((y - OFFER.head) / OFFER.row);
    if (y > OFFER.head && y < OFFER.head + place.shown * OFFER.row && lists[kind][k]) lab.choose({ pick, index: k });
    else lab.choose({ pick: NOW, index: 0 });
  };
  canvas.onkeydown = (event) => {
    const { i } = last, { kind } = phases[i], { pick, index } = effective(i), [name, , count] = choices[kind].at(-1);
    const line = pick === 'y' ? place.columns : 1, steps = { ArrowUp: -line, ArrowDown: line };
    if (pick === 'y') Object.assign(steps, { ArrowLeft: -1, ArrowRight: 1 });
    const by = steps[event.key];
    if (!by) return;                                                     // through the phases
    const from = kind === 'pairs' ? itself : (kind === 'chosen' ? best : 0) + by, to = pick === NOW ? from : index + by;
    if (name !== NOW && to >= 0 && to < count) lab.choose({ pick: name, index: to });
    event.preventDefault();
  };

  const icon = (ink, i, x, y, side, theme) => {
    const { kind } = phases[i], list = lists[kind];
    if (kind === 'over' || kind === 'present') return kind === 'over' ? 'end' : 'there';
    if (kind === 'pairs' && cells <= 64) {
      const wide = side * Math.min(1, place.columns / place.rows);
      tile(ink, pairs.after, place.columns, x, y, wide, (value) => signed(value, 1, theme), theme.line);
      return '';
    }
    if (kind === 'pairs' || !list.length) return kind === 'pairs' ? 'means' : '0';
    const worthOf = ({ worth, moving, dropping }) => worth ?? Math.max(moving, dropping);
    const most = largest(list.map(worthOf));
    list.slice(0, 4).forEach((each, k) => {
      if (kind !== 'chosen' || !k) bar(ink, theme, x, y + 2 + k * 7, side, 5, worthOf(each), most);
    });
    if (kind === 'chosen') {
      Object.assign(ink, { strokeStyle: theme.chosen, lineWidth: 2 });
      ink.strokeRect(x - 2, y, side + 4, 9);
    }
    return '';
  };
  const begin = Math.max(0, phases.findIndex(({ kind }) => kind === 'candidates'));
  return { seconds, first: begin, stage, picks: choices[phases[0].kind], rows: false, layout, draw, icon, sum };
};
