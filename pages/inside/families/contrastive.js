// A contrastive update: the network, the tables of its hidden units above them, and the sums of the choice.

import { made } from '../../draw/elements.js';
import {
  ease, gray, largest, pointedAt, say, sharp, signedBy, strongest, tile, fixed,
} from '../../draw/ink.js';
import {
  drawEdge, drawHidden, drawMessage, drawPixels, edgeAt, FEW_UNITS, coinOpacity, drawnLayer, levelsOf, nameOfUnit, networkOf,
} from '../../draw/network.js';
import {
  added, briefPixel, chooseByKeys, loadingSum, explainUnit, furthest, gridsOf, inParts, lookAt, MOST_TERMS, nameOfPixel,
  partsOfPixel, secondsOf,
} from '../choosing.js';
import { frameCell, pictureIn, scaleOf } from '../../draw/plots.js';
import { keyframeAt, sliceOf } from '../trace.js';

const DURATION = { data: 3, start: 1.6, hidden: 3, visible: 3, end: 2.4, difference: 4, offsets: 2.5, centred: 3,
  equalised: 3, options: 3, new: 2.5 };
const TABLES = ['data', '− model', '= G', 'W'];
const GRADIENTS = ['difference', 'centred', 'equalised', 'options'], REMADE = { equalised: 'G, equal', options: 'G, step' };
const EVEN = 1e-6;                                // a difference of float32 numbers that counts as none
const LATER = { centred: 'centres it', equalised: 'makes all its singular directions equally strong',
  options: 'applies the options of the step' };
const NAMES = { data: 'example', start: 'start', hidden: 'hidden', visible: 'pixels', end: 'output',
  difference: 'difference', new: 'weights' };
const ICONS = { hidden: 'h', end: 'p(h)', difference: 'G', offsets: 'μ λ', centred: 'G', equalised: 'G', options: 'G', new: 'W' };

export const view = (trace, lab) => {
  const { phases, models, shape } = trace, [nv, nh] = models[0].W.dims, { rate } = trace.values;
  const columns = shape ? shape[1] : Math.min(nv, 8), rows = Math.ceil(nv / columns), few = nh <= FEW_UNITS;
  const whole = !models[0].W.missing && nv * nh <= 160, seconds = secondsOf(phases, DURATION, ['hidden', 'visible']);
  const gradients = phases.filter(({ kind }) => GRADIENTS.includes(kind));
  const most = { W: largest(models.map(({ W }) => W.most)),
    G: largest(gradients.map(({ W }) => W.most)) };
  const canvas = made('canvas', 'picture', { tabIndex: 0, role: 'application' });
  const pixel = partsOfPixel(trace, nv), unshaped = (text) => shape ? '' : text; // row and column name the pixel
  const recent = { j: 0, q: undefined };          // the last choices, with which another kind begins
  const recentPixel = () => recent.q ?? furthest(column('models', 0, 'W', recent.j));
  const picks = [['h', 'hidden unit', nh, () => `of ${nh}`, () => recent.j],
    ['v', shape ? 'pixel' : 'column', nv, (q) => unshaped(nameOfPixel(trace, q)), recentPixel, inParts(...pixel)],
    ['w', 'weight', nv * nh, (k) => unshaped(`from ${nameOfPixel(trace, Math.floor(k / nh))} to ${nameOfUnit(k % nh)}`),
      () => recentPixel() * nh + recent.j, inParts(...pixel, ['hidden unit', nh])]];
  const selector = lookAt(lab, picks), stage = made('div', 'stage', {}, canvas, selector.line);
  lab.chosen ??= { pick: 'h', index: 0 };
  const unitOf = ({ pick, index } = lab.chosen) => pick === 'h' ? index : pick === 'w' ? index % nh : undefined;
  const pixelOf = ({ pick, index } = lab.chosen) => pick === 'v' ? index : pick === 'w' ? Math.floor(index / nh)
    : undefined;
  const levelOf = levelsOf();
  let place;

  // -- the numbers: of a hidden unit j, a column of a matrix, or of a pixel q, a row ----------------------
  const column = (where, i, name, j) => sliceOf(trace, where, i, name, 'h', 1, j, lab.redraw);
  const line = (where, i, name, q) => sliceOf(trace, where, i, name, 'v', 0, q, lab.redraw);
  const near = (i, kinds, by) => {
    while (phases[i] && !kinds.includes(phases[i].kind)) i += by;
    return phases[i] ? i : -1;
  };
  const latest = (i, kinds) => phases[near(i, kinds, -1)];

  // Describe how a later phase changes the gradient of phase i before the weights move; "" if none does.
  const describeChange = (i) => {
    const last = near(near(i, ['new'], 1), GRADIENTS, -1), then = LATER[phases[last].kind];
    const plain = phases[i].kind === 'difference' ? 'This is the plain difference. ' : '';
    return last > i ? `${plain}A later phase ${then}; then the weights move.` : '';
  };

  // Phases with the data, model and gradient tables of phase i; -1 before they are known.
  // how : the kind of that gradient; earlier : the phase of the one before; own : true if data and model are centred
  const tables = (i) => {
    const { kind, at, folded } = phases[i], moved = kind === 'new';
    const over = !folded && (moved || GRADIENTS.includes(kind) || kind === 'offsets');
    const G = over ? near(i, GRADIENTS, -1) : -1, how = phases[G]?.kind, earlier = near(G - 1, GRADIENTS, -1);
    const from = how === 'options' ? earlier : G, own = phases[from]?.kind === 'centred';
    return { frozen: at > (moved ? 1 : 0), G, how, earlier, own, data: own ? from : near(0, ['difference'], 1),
      model: own ? from : kind === 'end' ? near(i, ['difference'], 1) : over ? near(i, ['difference'], -1) : -1 };
  };

  // Values of the units at the share f of phase i; flow : the direction in which they influence each other.
  const scene = (i, f) => {
    const phase = phases[i], { kind } = phase, drawn = () => latest(i - 1, ['visible', 'start', 'data']).v;
    if (phase.folded) {
      const { v, h } = keyframeAt(phase.keyframes, f);
      return { v, h, flow: 0 };
    }
    if (kind === 'data' || kind === 'end') {
      return { v: phase.v, h: phase.p.map((p) => p * ease(f, .45, .8)), flow: 1 };
    }
    if (kind === 'start') {
      const from = drawn(), g = ease(f, .2, .8);
      return { v: Float32Array.from(phase.v, (x, q) => from[q] + (x - from[q]) * g), flow: 0,
        h: latest(i, ['data']).p.map((p) => p * (1 - g)) };
    }
    if (kind === 'hidden') {
      return { v: phase.v, h: drawnLayer(f, undefined, phase.p, phase.h), u: phase.u, shown: coinOpacity(f), flow: 1 };
    }
    if (kind === 'visible') return { v: drawnLayer(f, drawn(), phase.p, phase.v), h: phase.h, flow: -1 };
    return { v: drawn(), h: latest(i, ['end']).p, flow: 0 };
  };

  // -- drawing --------------------------------------------------------------------------------------------
  const layout = (width) => {
    const gutter = few ? (width < 480 ? 58 : 84) : 0;
    const side = few ? Math.min((width - gutter - 4) / nh - 6, 46) : Math.min((width - 48) / 4, 84);
    const tall = side * rows / columns, above = few ? 4 * (tall + 10) : tall + 26;
    const net = networkOf({ nv, nh, columns, width, above, gutter });
    place = { ...net, width, side, tall, table: (k, j) => few ? [net.hidden(j)[0] - side / 2, 2 + k * (tall + 10)]
      : [k * (width - side - 2) / 3 + 1, 20] };
  };
  const drawTables = (ink, theme, i, f) => {
    const { side, tall } = place, { kind, at } = phases[i], known = tables(i), mine = unitOf();
    const sources = [['phases', known.data, 'data_W', 1, i ? 1 : ease(f, .85, 1)],
      ['phases', known.model, 'model_W', 1, kind === 'end' ? ease(f, .85, 1) : 1],
      ['phases', known.G, 'W', most.G, kind === 'new' ? 1 : ease(f, .1, .3)], ['models', at, 'W', most.W, 1]];
    TABLES.forEach((each, k) => {
      const name = k === 2 ? REMADE[known.how] ?? each : each;
      const [where, from, array, limit, shown] = sources[k], [x0, y0] = place.table(k, 0), frozen = !k && known.frozen;
      const scale = frozen ? 'frozen' : k < 2 ? known.own ? '±1' : '0 to 1' : scaleOf(limit);
      if (few) {
        say(ink, theme, name, 0, y0 + tall / 2 - 7, { weight: 600, size: 12 });
        say(ink, theme, scale, 0, y0 + tall / 2 + 8, { size: 11, colour: frozen ? theme.text : theme.soft });
      } else say(ink, theme, `${name}, ${scale}`, x0, 9, { size: 11, room: side + 8 });
      for (const j of few ? Array(nh).keys() : [mine ?? recent.j]) {
        const [x, y] = place.table(k, j), values = column(where, from, array, j), marked = j === mine && few;
        const frame = frozen ? theme.text : marked ? theme.chosen : theme.line;
        pictureIn(ink, theme, values, columns, [x, y, side, tall], signedBy(limit, theme), shown, frame);
        if (lab.chosen.pick === 'w' && j === mine) frameCell(ink, theme, columns, x, y, side, pixelOf());
      }
    });
  };
  const drawEdges = (ink, theme, i, f, { v, h, flow }) => {
    if (phases[i].folded) return;
    const { kind, at } = phases[i], [j0, q0] = [unitOf(), pixelOf()];
    const flash = GRADIENTS.includes(kind) ? ease(f, .35, .6) : kind === 'new' ? 1 - ease(f, .4, 1) : 0;
    const from = flash ? tables(i).G : -1, g = ease(f, .02, kind === 'data' ? .5 : .35);
    const edge = (q, j, w, step, chosen) => {
      const value = step / most.G * flash + w / most.W * (1 - flash), busy = !flow || (flow > 0 ? v[q] : h[j]) > .5;
      const [x, y] = place.hidden(j), ends = [place.pixel(q), [x, y + place.radius]];
      drawEdge(ink, theme, ...ends, value, { chosen, busy, cell: place.cell });
      if (flow && busy && !lab.still) drawMessage(ink, theme, ...ends, w / most.W, flow > 0 ? g : 1 - g);
    };
    if (whole) {
      const { W } = models[at], step = phases[from]?.W;
      for (let q = 0; q < nv; q++) for (let j = 0; j < nh; j++) {
        if (j !== j0 && q !== q0) edge(q, j, W[q * nh + j], step?.[q * nh + j] ?? 0, false);
      }
    }
    const of = j0 !== undefined ? (where, k) => column(where, k, 'W', j0) : (where, k) => line(where, k, 'W', q0);
    const W = of('models', at), step = of('phases', from);
    if (!W) return;
    const least = whole ? 0 : levelOf(flash > .5 && step ? step : W);
    W.forEach((w, k) => {
      const [q, j] = j0 === undefined ? [q0, k] : [k, j0], marked = q0 === undefined || j0 === undefined || q === q0;
      if (Math.abs(flash > .5 && step ? step[k] : w) >= least || (marked && q === q0 && j === j0)) {
        edge(q, j, w, step?.[k] ?? 0, marked);
      }
    });
  };
  const draw = (i, f, theme) => {
    const ink = sharp(canvas, place.width, place.height), seen = scene(i, f), { kind } = phases[i];
    recent.j = unitOf() ?? recent.j;
    recent.q = pixelOf() ?? recent.q;
    drawTables(ink, theme, i, f);
    drawPixels(ink, theme, place, seen.v, pixelOf());
    drawEdges(ink, theme, i, f, seen);
    drawHidden(ink, theme, place, nh, seen, unitOf());
    const what = kind === 'data' || (kind === 'start' && f < .5) ? 'an example of the data' : 'the chain';
    say(ink, theme, `${shape ? 'pixels' : 'columns'}: ${what}`, place.width / 2, place.height - 9,
      { colour: theme.soft, size: 12, align: 'center' });
    selector.show();
  };

  // -- the arithmetic -------------------------------------------------------------------------------------
  const over = (i) => !phases[i].folded && (GRADIENTS.includes(phases[i].kind) || phases[i].kind === 'new');
  const slides = (i, layer, k) => {
    const means = phases[near(i, ['difference'], -1)], [name, offset, now, mean] = layer === 'h'
      ? [nameOfUnit(k), 'λ', phases[i].lambda[k], means.data_c[k]]
      : [nameOfPixel(trace, k), 'μ', phases[i].mu[k], means.data_b[k]];
    return `The offset ${offset} of ${name} is now ${now.toFixed(3)}: it moves towards ${mean.toFixed(3)}, its mean `
      + 'over the rows of this update.';
  };
  // Compare the two terms of a gradient in words, with as many digits as set them apart.
  const compared = (centred, a, b) => {
    const even = Math.abs(a - b) < EVEN, by = even ? 3 : [3, 4, 5, 6].find((n) => a.toFixed(n) !== b.toFixed(n)) ?? 7;
    const [x, y] = [a, b].map((each) => centred ? fixed(each, by) : each.toFixed(by));
    const way = a > b ? 'more' : 'less', [what, much, product] = centred
      ? ['both deviate alike from their offsets', 'much', '(v − μ)(p(h) − λ)']
      : ['both are expected to be on together', 'often', 'v · p(h)'];
    return even ? `${what} as ${much} in the data as in the sample (${product} is ${x})`
      : `${what} ${way}${centred ? '' : ' often'} in the data (${product} is ${x}) than in the sample (${y})`;
  };
  const ofUnit = (i, j, marked) => {
    const phase = phases[i], { kind, at, folded } = phase, name = nameOfUnit(j), W = column('models', at, 'W', j);
    if (!W) return loadingSum(name);
    if (['data', 'hidden', 'end'].includes(kind) && !folded) {
      const terms = [...phase.v.keys()].filter((q) => phase.v[q])
        .map((q) => ({ name: briefPixel(trace, q), value: W[q], chosen: q === marked }));
      const [field, u] = [phase.field[j], phase.u?.[j]];
      return { title: `The sum of ${name}`, verdict: explainUnit(field, phase.p[j], u, name),
        blocks: [added([{ name: 'bias c', value: models[at].c[j] }], terms, { field, u })] };
    }
    if (over(i)) {
      const { data, model, G, how, earlier } = tables(i), past = kind === 'new', G_j = column('phases', G, 'W', j);
      const cells = REMADE[how]
        ? [['G before', column('phases', earlier, 'W', j), most.G], [REMADE[how], G_j, most.G]]
        : [['data', column('phases', data, 'data_W', j), 1], ['− model', column('phases', model, 'model_W', j), 1],
          ['= G', G_j, most.G]];
      const c = past ? phase.c[j] : rate * phases[G].c[j];
      return { title: `The weights of ${name}`,
        blocks: [gridsOf([...cells, [past ? 'W after' : 'W before', W, most.W]], columns)],
        verdict: describeChange(i)
          || `W ${past ? 'has moved' : 'will move'} by η G, with η = ${rate}; the bias c by ${fixed(c, 4)}.` };
    }
    const quiet = kind !== 'visible' || folded;
    const verdict = kind === 'offsets' ? slides(i, 'h', j) : quiet ? 'It has no sum in this phase.'
      : phase.h[j] ? `${name} is on: it adds these weights to the pixels’ sums.`
        : `${name} is off: it adds nothing to the pixels’ sums.`;
    return { title: `The weights of ${name}`, verdict, blocks: [gridsOf([['W', W, most.W]], columns)] };
  };
  const ofPixel = (i, q) => {
    const phase = phases[i], { kind, at, folded } = phase, name = nameOfPixel(trace, q);
    const W = line('models', at, 'W', q);
    if (!W) return loadingSum(name);
    const each = (values) => [...values].map((value, j) => ({ name: nameOfUnit(j), value }));
    if (kind === 'visible' && !folded) {
      const [field, u] = [phase.field[q], phase.u[q]], terms = each(W).filter((_, j) => phase.h[j]);
      return { title: `The sum of ${name}`, verdict: explainUnit(field, phase.p[q], u, 'it'),
        blocks: [added([{ name: 'bias b', value: models[at].b[q] }], terms, { field, u })] };
    }
    if (over(i)) {
      const { G } = tables(i), step = line('phases', G, 'W', q);
      if (!step) return loadingSum(name);
      if (describeChange(i)) {
        return { title: `The difference at the weights of ${name}`, verdict: describeChange(i),
          blocks: [{ terms: strongest(each(step), MOST_TERMS), result: 'total' }] };
      }
      const b = kind === 'new' ? phase.b[q] : rate * phases[G].b[q];
      return { title: `How the weights of ${name} change`, verdict: `Its bias moves by ${fixed(b, 4)}.`,
        blocks: [{ terms: strongest(each(step.map((value) => rate * value)), MOST_TERMS), result: 'total' }] };
    }
    const verdict = kind === 'offsets' ? slides(i, 'v', q)
      : scene(i, 1).v[q] > .5 ? 'It is on: it adds its weights to the hidden units’ sums.'
      : 'It is off: it adds nothing to the hidden units’ sums.';
    const block = { terms: strongest(each(W), MOST_TERMS), result: 'total' };
    return { title: `The weights of ${name}`, verdict, blocks: [block] };
  };
  const ofWeight = (i, q, j) => {
    const { kind, at } = phases[i];
    if (!over(i)) {
      const found = kind === 'visible' ? ofPixel(i, q) : ofUnit(i, j, q);
      return kind === 'offsets' ? { ...found, verdict: `${slides(i, 'v', q)} ${slides(i, 'h', j)}` } : found;
    }
    const { data, model, G, how, earlier, own } = tables(i);
    const of = (where, from, name) => column(where, from, name, j)?.[q];
    const [a, b, step] = [of('phases', data, 'data_W'), of('phases', model, 'model_W'), of('phases', G, 'W')];
    const before = of('models', at - (kind === 'new' ? 1 : 0), 'W');
    const title = `The weight from ${nameOfPixel(trace, q)} to ${nameOfUnit(j)}`;
    if (step === undefined || before === undefined) return loadingSum(title);
    const block = (result, ...terms) =>
      ({ result, digits: 4, terms: terms.map(([name, value]) => ({ name, value })) });
    const apart = (result) => block(result, ['data', a], ['− model', -b]);
    const moved = (...terms) => block('W after', ['W before', before], ...terms);
    const stays = Math.abs(step) < EVEN, way = stays ? 'It stays' : step > 0 ? 'It rises' : 'It falls';
    const why = compared(own, a, b);
    if (describeChange(i)) {
      const begun = why[0].toUpperCase() + why.slice(1);
      return { title, blocks: [apart('difference')], verdict: `${begun}. ${describeChange(i)}` };
    }
    if (!REMADE[how]) {
      return { title, verdict: `${way}: ${why}.`,
        blocks: [moved(['η · data', rate * a], ['−η · model', -rate * b])] };
    }
    const was = of('phases', earlier, 'W'), of_parts = phases[earlier].kind !== 'equalised';
    if (was === undefined) return loadingSum(title);
    const turned = !stays && step * was < 0, by = stays ? '' : ` by η G = ${fixed(rate * step, 4)}`;
    const blocks = [...of_parts ? [apart('G before')] : [], moved([`η · ${REMADE[how]}`, rate * step])];
    return { title, blocks,
      verdict: `${way}${by}. Before, G was ${fixed(was, 4)} here${of_parts ? `: ${why}` : ''}. Then `
        + (how === 'options' ? 'the options of the step were applied' : 'all singular values of the matrix were set to '
        + 'their sum') + `: G is ${fixed(stays ? 0 : step, 4)} now${turned ? ', with the other sign' : ''}.` };
  };
  const sum = (i) => {
    const { pick } = lab.chosen, found = pick === 'h' ? ofUnit(i, unitOf()) : pick === 'v' ? ofPixel(i, pixelOf())
      : ofWeight(i, pixelOf(), unitOf());
    canvas.ariaLabel = `The network. ${found.title}: ${found.verdict} Arrow keys choose another.`;
    return found;
  };

  // -- choosing -------------------------------------------------------------------------------------------
  const tableAt = (x, y) => {
    for (let k = 0; k < TABLES.length; k++) for (const j of few ? Array(nh).keys() : [unitOf() ?? recent.j]) {
      const [x0, y0] = place.table(k, j), cell = place.side / columns;
      const [c, r] = [Math.floor((x - x0) / cell), Math.floor((y - y0) / cell)], q = r * columns + c;
      if (c < 0 || r < 0 || c >= columns || q >= nv) continue;
      return cell < 8 ? { pick: 'h', index: j } : { pick: 'w', index: q * nh + j };
    }
    return undefined;
  };
  canvas.onclick = (event) => {
    const [x, y] = pointedAt(event);
    const j = place.hiddenAt(x, y), q = place.pixelAt(x, y);
    const found = tableAt(x, y) ?? (j !== undefined ? { pick: 'h', index: j }
      : q !== undefined ? { pick: 'v', index: q } : edgeAt(place, nv, nh, unitOf(), pixelOf(), x, y));
    if (found) lab.choose(found);
  };
  chooseByKeys(canvas, lab, () => ({ h: { end: nh, down: few ? nh : place.across }, v: { end: nv, down: columns },
    w: { end: nv * nh, across: nh, down: columns * nh } }[lab.chosen.pick]));

  const icon = (ink, i, x, y, side, theme) => {
    const { kind, folded, v } = phases[i];
    if (folded) return kind === 'new' ? '…' : `${Math.round(folded / 2)} steps`;
    if (!['data', 'start', 'visible'].includes(kind)) return ICONS[kind];
    tile(ink, v, columns, x, y, side, gray, theme.line);
    return '';
  };
  // A phase in a word, below its picture in the strip.
  const named = (i) => phases[i].folded ? '' : phases[i + 1]?.kind === 'end' ? 'sample' : NAMES[phases[i].kind] ?? '';
  return { seconds, stage, picks, rows: true, layout, draw, icon, named, sum };
};
