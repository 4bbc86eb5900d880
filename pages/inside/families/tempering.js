// An update with exchanges: the rungs side by side with a state on each, the swaps between neighbours, what one hidden
// unit's weights move along, and the ways of the states along the rungs from there on.

import { made } from '../../frames/elements.js';
import { ease, gray, largest, lineThrough, pointedAt, say, sharp, fixed, tile } from '../../frames/ink.js';
import { chooseByKeys, coming, gridsOf, lookAt, nameOfUnit } from '../network.js';
import { emptyPlace, inGrays, inSigns } from '../plots.js';
import { flown, taken } from '../trace.js';

const DURATION = { data: 2, rungs: 2, gibbs: 2, decide: 2, swap: 3, back: 2, freeze: 2, frozen: 2, difference: 3,
  new: 2.5, journey: 4 };
const NAMES = { data: 'example', rungs: 'rungs', gibbs: 'Gibbs', decide: 'share', swap: 'swaps',
  difference: 'difference', new: 'weights', journey: 'ways', back: 'back', freeze: 'freeze', frozen: 'frozen' };
const ICONS = { decide: 'α', swap: '⇄', difference: 'G', new: 'W', journey: '↝', back: '↶', freeze: '❄',
  frozen: '❄' };
const TABLES = ['data', '− chains', '= G', 'W'];
const SIDE = { least: 30, most: 72 }, GAP = 14, WAYS = 150;   // pixels
const LETTERS = 26;

export const view = (trace, lab) => {
  const { phases, models, shape, values } = trace, [nv, nh] = models[0].W.dims;
  const columns = shape ? shape[1] : Math.min(nv, 8), rows = Math.ceil(nv / columns);
  const rowOf = (v, k) => v.subarray(k * nv, (k + 1) * nv);
  const first = phases.find(({ kind }) => kind === 'rungs') ?? { v: new Uint8Array(0), states: [] };
  const count = first.states.length, two = phases.some(({ partner }) => partner), { beta } = first;
  const name = (k) => k < LETTERS ? String.fromCharCode(65 + k) : `state ${k + 1}`;
  const rungName = (k) => two ? ['frozen model', 'model now'][k] : `β ${Number(beta[k].toFixed(2))}`;

  // Who is where when each phase is over: [state on each rung], [pixels on each rung].
  let now = { states: [...first.states], v: [...first.states].map((_, k) => rowOf(first.v, k)) };
  const scenes = phases.map((phase) => {
    const before = now;
    for (const each of phase.folded ? phase.keyframes : [phase]) {
      if (!each.v || each.kind === 'data') continue;
      const drawn = Array.from({ length: each.v.dims[0] }, (_, k) => rowOf(each.v, k));
      const whole = drawn.length === count ? drawn : [...now.v.slice(0, count - 1), drawn[0]];
      now = { states: each.states ? [...each.states] : now.states, v: whole };
    }
    return { before, after: now };
  });
  const ways = phases.at(-1).rung, hops = ways ? ways.dims[0] - 1 : 0, lines = ways ? ways.dims[1] : 0;
  const wayOf = (k) => Array.from({ length: hops + 1 }, (_, t) => ways[t * lines + k]);

  const canvas = made('canvas', 'picture', { tabIndex: 0, role: 'application' });
  const picks = [['s', 'state', count, name], ['h', 'hidden unit', nh, () => `of ${nh}`]];
  const selector = lookAt(lab, picks), stage = made('div', 'stage', {}, canvas, selector.line);
  lab.chosen ??= { pick: 's', index: count - 1 };
  const state = () => lab.chosen.pick === 's' ? lab.chosen.index : undefined;
  const recent = { j: 0 };
  const unit = () => { if (lab.chosen.pick === 'h') recent.j = lab.chosen.index; return recent.j; };
  const column = (where, i, array) => i < 0 ? undefined : taken(trace, where, i, array, 'h', 1, unit(), lab.redraw);
  const G = phases.findIndex(({ kind }) => kind === 'difference');
  const most = { G: largest(phases.filter(({ kind }) => kind === 'difference').map(({ W }) => W.most)),
    W: largest(models.map(({ W }) => W.most)) };

  // -- drawing ----------------------------------------------------------------------------------------------
  let place;
  const layout = (width) => {
    const across = Math.max(1, Math.min(count, Math.floor((width + GAP) / (SIDE.least + GAP))));
    const side = Math.min(SIDE.most, (width - GAP * (across - 1)) / across), tall = side * rows / columns;
    const line = tall + 58, down = Math.ceil(count / across), left = (width - across * (side + GAP) + GAP) / 2;
    const spot = (k) => [left + k % across * (side + GAP), 22 + Math.floor(k / across) * line];
    const table = Math.min((width - 3 * GAP) / 4, 84), below = 22 + down * line + 6;
    const height = below + Math.max(WAYS, table * rows / columns + 24);
    place = { width, across, side, tall, spot, table, below, height };
  };
  const drawMarks = (ink, theme, i, f) => {
    const { lower, accepted } = phases[i], { side, tall, spot, across } = place, shown = ease(f, .25, .45);
    ink.globalAlpha = shown;
    lower.forEach((low, k) => {
      const [x, y] = spot(low), [x1] = spot(low + 1), wraps = (low + 1) % across === 0;
      const at = wraps ? x + side / 2 : (x + x1 + side) / 2;
      say(ink, theme, accepted[k] ? '⇄' : '×', at, y + tall + 34, { size: 15, weight: 600, align: 'center',
        colour: accepted[k] ? theme.lit : theme.soft });
    });
    ink.globalAlpha = 1;
  };
  const drawRungs = (ink, theme, i, f) => {
    const { side, tall, spot } = place, { kind, folded, keyframes } = phases[i], { before, after } = scenes[i];
    const moving = kind === 'swap' && !folded, g = moving ? ease(f, .5, .85) : ease(f, .3, .6);
    const frame = folded && flown(keyframes, f);
    for (let k = 0; k < count; k++) {
      const [x, y] = spot(k);
      const large = { size: 11, colour: theme.soft, align: 'center', room: side + GAP };
      say(ink, theme, rungName(k), x + side / 2, y - 10, large);
      const who = moving ? before.states[k] : after.states[k], to = moving ? after.states.indexOf(who) : k;
      const [x1, y1] = spot(to), [px, py] = [x + (x1 - x) * g, y + (y1 - y) * g];
      const film = frame?.v?.dims[0] === count ? rowOf(frame.v, k) : undefined;
      const values = film ?? (moving || g < .5 ? before.v[k] : after.v[k]), mine = who === state();
      tile(ink, values, columns, px, py, side, gray, mine ? theme.chosen : theme.line);
      if (mine) {
        Object.assign(ink, { strokeStyle: theme.chosen, lineWidth: 3 });
        ink.strokeRect(px - 1.5, py - 1.5, side + 3, tall + 3);
      }
      say(ink, theme, name(who), px + side / 2, py + tall + 14,
        { size: 13, weight: mine ? 700 : 400, align: 'center' });
    }
    if (moving) drawMarks(ink, theme, i, f);
  };
  const drawTables = (ink, theme, i, f) => {
    const { kind, at, v } = phases[i], { table, below, width } = place, tall = table * rows / columns;
    const known = G >= 0 && i >= G, x = (k) => k * (width - table) / 3;
    const drawn = [known && ['data_W', inGrays], known && ['model_W', inGrays], known && ['W', inSigns]];
    TABLES.forEach((each, k) => {
      const weights = k === 3, example = !k && kind === 'data';
      const values = weights ? column('models', at, 'W') : drawn[k] && column('phases', G, drawn[k][0]);
      const title = example ? 'example' : weights ? `W, ${nameOfUnit(unit())}` : each;
      say(ink, theme, title, x(k), below + 8, { size: 12, weight: 600, room: table + GAP });
      const spot = [x(k), below + 20, table];
      if (example) inGrays(ink, theme, v, columns, ...spot);
      else if (!values) emptyPlace(ink, theme, ...spot, tall);
      else if (k < 2) inGrays(ink, theme, values, columns, ...spot);
      else {
        ink.globalAlpha = kind === 'difference' && k === 2 ? ease(f, .2, .6) : 1;
        inSigns(ink, theme, values, columns, ...spot, weights ? most.W : most.G);
        ink.globalAlpha = 1;
      }
    });
  };
  const drawWays = (ink, theme, f) => {
    const { width, below } = place, names = 92, tall = WAYS - 40, [x0, y0] = [names, below + 8], top = count - 1;
    const x = (t) => x0 + (width - names - 10) * t / Math.max(hops, 1), y = (rung) => y0 + tall * (1 - rung / top);
    for (let k = 0; k < count; k++) {
      ink.fillStyle = theme.line;
      ink.fillRect(x0, y(k) - .5, width - names - 10, 1);
      if (count < 9 || k % 3 === 0 || k === top) {
        say(ink, theme, rungName(k), names - 6, y(k),
          { size: 11, colour: theme.soft, align: 'right', room: names - 8 });
      }
    }
    const reach = Math.ceil(ease(f, .05, .9) * hops), order = [...Array(lines).keys()];
    const mine = lines === 1 ? 0 : state();
    for (const k of [...order.filter((each) => each !== mine), ...(mine === undefined ? [] : [mine])]) {
      const way = wayOf(k), on = k === mine;
      Object.assign(ink, { strokeStyle: on ? theme.chosen : theme.soft, lineWidth: on ? 3 : 1 });
      ink.globalAlpha = on ? 1 : .5;
      lineThrough(ink, Array.from({ length: reach + 1 }, (_, t) => [x(t), y(way[t])]));
      ink.globalAlpha = 1;
    }
    const along = `${hops} ${two ? 'exchanges' : 'rounds of swaps'} from here on`;
    say(ink, theme, along, width - 10, y0 + tall + 18,
      { size: 12, colour: theme.soft, align: 'right', room: width });
  };
  const draw = (i, f, theme) => {
    const ink = sharp(canvas, place.width, place.height);
    drawRungs(ink, theme, i, f);
    if (phases[i].kind === 'journey') drawWays(ink, theme, f); else drawTables(ink, theme, i, f);
    selector.show();
  };

  // -- the arithmetic ---------------------------------------------------------------------------------------
  const ofUnit = (i) => {
    const j = unit(), title = `The weights of ${nameOfUnit(j)}`, W = column('models', phases[i].at, 'W');
    if (!W) return coming(title);
    const known = G >= 0 && i >= G, cells = [['data', 'data_W', 1], ['− chains', 'model_W', 1], ['= G', 'W', most.G]];
    const grids = known ? cells.map(([what, array, limit]) => [what, column('phases', G, array), limit]) : [];
    const verdict = known ? `W moves by η G, η = ${values.rate} at most.`
      : 'They stay as they are until the difference between data and chains is known.';
    return { title, verdict, blocks: [gridsOf([...grids, ['W', W, most.W]], columns)] };
  };
  const flipped = (a, b) => a.reduce((so, x, q) => so + (x !== b[q]), 0);
  const ofSwap = (i, s) => {
    const { lower, accepted, of_x: ofX, of_y: ofY, u } = phases[i], { before } = scenes[i];
    const rung = before.states.indexOf(s);
    const k = [...lower].findIndex((low) => low === rung || low + 1 === rung);
    if (k < 0) return { title: `${name(s)} is in no pair`, verdict: 'It has no neighbour in this round.', blocks: [] };
    const [x, y] = [before.states[lower[k]], before.states[lower[k] + 1]].map(name), logU = Math.log(u[k]);
    const D = ofX[k] + ofY[k], done = accepted[k];
    return { title: `Do ${x} and ${y} change places?`,
      verdict: `D = ${fixed(D)}, and log u = ${fixed(logU)} is ${done ? '' : 'not '}below it: `
        + `they ${done ? 'change places' : 'stay'}.`,
      blocks: [{ terms: [{ name: `${x}: one rung up`, value: ofX[k] }, { name: `${y}: one rung down`, value: ofY[k] }],
        result: 'D' }] };
  };
  const ofWay = (s) => {
    const way = wayOf(lines === 1 ? 0 : s), been = new Set(way), top = way.filter((rung) => rung === count - 1);
    const turns = way.reduce((so, rung, t) => so + (t && rung !== way[t - 1] ? 1 : 0), 0);
    if (two) return { title: 'The sides of the chain', blocks: [],
      verdict: `Of ${hops} exchanges ${turns} are accepted.` };
    return { title: `The way of ${name(s)}`, blocks: [],
      verdict: `In ${hops} rounds of swaps it is on ${been.size} of ${count} rungs, and ${top.length} of ${hops + 1} `
        + 'times on that of the model.' };
  };
  const ofState = (i, s) => {
    const { kind, folded, acceptance } = phases[i], { before, after } = scenes[i], rung = after.states.indexOf(s);
    if (kind === 'swap' && !folded) return ofSwap(i, s);
    if (kind === 'journey' && ways) return ofWay(s);
    const title = `State ${name(s)}`, on = `It is on the rung of ${two ? 'the ' : ''}${rungName(rung)}`;
    const changed = `${flipped(before.v[rung], after.v[rung])} of its ${nv} ${shape ? 'pixels' : 'columns'}`;
    const verdict = kind === 'gibbs' && !folded ? `${on}: ${changed} change.`
      : acceptance ? `The share that would change places is ${acceptance[0].toFixed(3)}; the model is frozen below `
        + `${values.alpha}, and goes back below ${values.alpha_min}.` : `${on}.`;
    return { title, verdict, blocks: [] };
  };
  const sum = (i) => {
    const found = lab.chosen.pick === 'h' ? ofUnit(i) : ofState(i, state());
    canvas.ariaLabel = `States on rungs. ${found.title}: ${found.verdict} Arrow keys choose another.`;
    return found;
  };

  // -- choosing ---------------------------------------------------------------------------------------------
  let shown = 0;
  canvas.onclick = (event) => {
    const [x, y] = pointedAt(event), { side, tall, spot } = place, { states } = scenes[shown].after;
    const k = states.findIndex((_, rung) => {
      const [left, top] = spot(rung);
      return x >= left && x <= left + side && y >= top && y <= top + tall;
    });
    if (k >= 0) lab.choose({ pick: 's', index: states[k] });
  };
  chooseByKeys(canvas, lab, () => ({ end: lab.chosen.pick === 's' ? count : nh }));
  const drawAt = (i, f, theme) => { shown = i; draw(i, f, theme); };

  const icon = (ink, i, x, y, side, theme) => {
    const { kind, folded, v } = phases[i];
    if (folded) return '…';
    if (!['data', 'rungs', 'gibbs'].includes(kind)) return ICONS[kind];
    tile(ink, kind === 'data' ? v : scenes[i].after.v.at(-1), columns, x, y, side, gray, theme.line);
    return '';
  };
  const named = (i) => phases[i].folded ? '' : NAMES[phases[i].kind];
  const seconds = phases.map(({ kind, folded }) => folded ? 3 : DURATION[kind]);
  return { seconds, stage, picks, rows: true, layout, draw: drawAt, icon, named, sum };
};
