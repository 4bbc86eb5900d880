// Any update as its arrays: pictures, matrices, curves and bars. Each phase shows those that the family's view names in
// `trace.panels`, { array, or kind.array: [title, form] }. Forms:
//   picture   a value for each pixel, and maybe a bias after them; or several pictures, one a row
//   signed    a picture of values of both signs
//   unit      a matrix of visible and hidden units: the chosen hidden unit's column is drawn
//   matrix    a value for each parameter
//   curve     values along the phase's `at`, or evenly; of several rows the others are dashed
//   bars      values with the phase's `names`, or `pairs` of them
//   number    is in words

import { made } from '../../draw/elements.js';
import { ease, fixed, gray, largest, pointedAt, say, sharp, signedBy, tile } from '../../draw/ink.js';
import { HEAD, matricesOf } from '../../draw/matrices.js';
import { nameOfUnit } from '../../draw/network.js';
import { briefPixel, chooseByKeys, loadingSum, inParts, lookAt, nameOfPixel, partsOfPixel } from '../choosing.js';
import { BAR, barsIn, frameCell, plotIn, scaleOf } from '../../draw/plots.js';
import { keyframeAt, sliceOf } from '../trace.js';

const SECONDS = 2.5, GAP = 16, EDGE = 2, SIDE = 120, SMALL = 60, MATRIX = 260, WIDE = 320, CURVE = 90;
const NOTHING = 'nothing';                        // can be chosen
const AXES = { picture: 'v', signed: 'v', matrix: 'p', unit: 'h' };  // chosen along this axis in what each form draws

export const view = (trace, lab) => {
  const { phases, models, names, panels, shape } = trace, [model] = models;
  const nv = shape ? shape[0] * shape[1] : (model.b ?? model.cardinalities).length, nh = model.W?.dims[1] ?? 0;
  const columns = shape ? shape[1] : Math.min(nv, 8), rows = Math.ceil(nv / columns);
  const titled = (k) => names?.[k] ?? (shape ? briefPixel(trace, k) : `v${k + 1}`);
  const centre = Math.floor(rows / 2) * columns + Math.floor(columns / 2);
  const sizes = model.cardinalities ? Array.from(model.cardinalities, (size) => size - 1) : Array(nv).fill(1);

  // Arrays shown of a phase or of a frame of a folded one, and the range of the arrays of each panel.
  const shownOf = (frame) => Object.entries(panels).flatMap(([key, [title, form]]) => {
    const [array, kind = frame.kind] = key.split('.').reverse(), values = frame[array];
    return kind === frame.kind && (values?.length || values?.missing) ? [{ key, array, title, form, values }] : [];
  });
  const shownIn = (i, f) =>
    shownOf(phases[i].folded && f < 1 ? keyframeAt(phases[i].keyframes, f) : phases[i]);
  const ranges = {};
  phases.flatMap((phase) => [phase, ...phase.keyframes]).flatMap(shownOf).forEach(({ key, form, values }) => {
    const range = ranges[key] ??= { limit: 1e-9, shares: form !== 'signed' };
    range.limit = Math.max(range.limit, values.missing ? values.most : largest(values));
    range.shares &&= !values.missing && values.every((value) => value >= 0 && value <= 1);
  });
  const all = phases.map(shownOf), axes = new Set(all.flat().map(({ form }) => AXES[form]));
  const matrices = axes.has('p') && matricesOf(sizes, titled);

  const picks = [...matrices ? [['p', 'parameter', matrices.terms.length, (k) => matrices.terms[k].name]] : [],
    ...axes.has('v') ? [['v', shape ? 'pixel' : 'column', nv, (k) => shape ? '' : nameOfPixel(trace, k),
      () => centre, inParts(...partsOfPixel(trace, nv))]] : [],
    ...axes.has('h') ? [['h', 'hidden unit', nh, () => `of ${nh}`]] : []];
  lab.chosen ??= { pick: picks[0]?.[0] ?? NOTHING, index: picks[0]?.[0] === 'v' ? centre : 0 };
  const canvas = made('canvas', 'picture', { tabIndex: 0, role: 'application' });
  const selector = picks.length && lookAt(lab, picks), stage = made('div', 'stage', {}, canvas);
  if (selector) stage.append(selector.line);
  const chosenOf = (pick) => lab.chosen.pick === pick ? lab.chosen.index : undefined;
  const recent = { h: 0 };
  const unit = () => (recent.h = chosenOf('h') ?? recent.h);
  const columnOf = (i, array) => sliceOf(trace, 'phases', i, array, 'h', 1, unit(), lab.redraw);

  // -- drawing ----------------------------------------------------------------------------------------------
  let width, height, spots = [];
  const manyOf = ({ form, values }) => AXES[form] === 'v' && values.dims.length > 1 ? values.dims[0] : 1;
  const sizeOf = (item) => {
    const { form, values } = item, many = manyOf(item);
    if (form === 'bars') return [Math.min(width, WIDE), 20 + values.length * BAR];
    if (form === 'curve') return [Math.min(width, WIDE), CURVE + 44];
    if (form === 'matrix') return [Math.min(width, MATRIX), HEAD + Math.min(width, MATRIX)];
    if (many < 2) return [SIDE, HEAD + SIDE * rows / columns];
    const across = Math.max(1, Math.min(many, Math.floor((width + 8) / (SMALL + 8))));
    return [across * (SMALL + 8) - 8, HEAD + Math.ceil(many / across) * (SMALL * rows / columns + 20)];
  };
  const placed = (items) => {
    let [x, y, tall] = [EDGE, 4, 0];
    const found = items.filter(({ form }) => form !== 'number').map((item) => {
      const [wide, high] = sizeOf(item);
      if (x > EDGE && x + wide > width) [x, y, tall] = [EDGE, y + tall + GAP, 0];
      const spot = { ...item, x, y, wide };
      [x, tall] = [x + wide + GAP, Math.max(tall, high)];
      return spot;
    });
    return [found, y + tall + 4];
  };
  const layout = (room) => {
    width = room;
    height = Math.max(SIDE, ...all.map((items) => placed(items)[1]));
  };
  const colourOf = (key, theme) => ranges[key].shares ? gray : signedBy(ranges[key].limit, theme);
  const scale = (key) => ranges[key].shares ? '0 to 1' : scaleOf(ranges[key].limit);
  const drawPicture = (ink, theme, i, { key, array, form, title, values, x, y, wide }, drawn) => {
    const many = manyOf({ form, values }), seen = form === 'unit' ? columnOf(i, array) : values;
    const bias = form !== 'unit' && many === 1 && values.length === nv + 1 ? `, bias ${fixed(values[nv])}` : '';
    const name = form === 'unit' ? `${title}, ${nameOfUnit(unit())}` : title;
    say(ink, theme, name, x, y + 8, { weight: 600, size: 12, room: wide });
    say(ink, theme, scale(key) + bias, x, y + 24, { size: 11, colour: theme.soft, room: wide });
    if (!seen) return;
    const side = many > 1 ? SMALL : SIDE, across = Math.max(1, Math.floor((wide + 8) / (side + 8)));
    const length = seen.length / many, line = side * rows / columns + 20;
    for (let k = 0; k < many; k++) {
      const [left, top] = [x + k % across * (side + 8), y + HEAD + Math.floor(k / across) * line];
      const pixels = seen.subarray(k * length, k * length + nv);
      tile(ink, pixels, columns, left, top, side, colourOf(key, theme), theme.line);
      const words = many > 1 && phases[i].names?.[k];
      if (words) say(ink, theme, words, left, top + line - 10, { size: 11, colour: theme.soft, room: side });
      frameCell(ink, theme, columns, left, top, side, chosenOf('v'));
      drawn.push((mx, my) => {
        const [c, r] = [Math.floor((mx - left) * columns / side), Math.floor((my - top) * columns / side)];
        const index = r * columns + c;
        return c >= 0 && c < columns && r >= 0 && index < nv ? { pick: 'v', index } : undefined;
      });
    }
  };
  const drawItem = (ink, theme, i, f, item, drawn) => {
    const { key, form, title, values, x, y, wide } = item, { at, names, pairs } = phases[i];
    if (form === 'bars') {
      say(ink, theme, title, x, y + 8, { weight: 600, size: 12, room: wide });
      const words = [names, pairs].find((each) => each?.length === values.length);
      const bars = Array.from(values, (value, k) => ({ name: words?.[k] ?? `${k + 1}`, value }));
      barsIn(ink, theme, bars, x, y + 20, wide);
    } else if (form === 'curve') {
      const count = values.dims.at(-1), [ys, ...also] = Array.from({ length: values.length / count },
        (_, k) => values.subarray(k * count, (k + 1) * count)), along = at?.length === count;
      const xs = along ? [...at] : [...ys.keys()];
      const [left, right] = [xs[0], xs.at(-1)].map((end) => along ? fixed(end) : `${end}`);
      plotIn(ink, theme, { x, y: y + 20, width: wide - 4, height: CURVE, xs, ys, also, title, left, right,
        reach: ease(f, 0, .6) });
    } else if (form === 'matrix') {
      const limit = ranges[key].shares ? undefined : ranges[key].limit;
      matrices.draw(ink, theme, item, { name: title, values, limit, chosen: chosenOf('p') });
      drawn.push((mx, my) => matrices.hit(item, mx, my));
    } else drawPicture(ink, theme, i, item, drawn);
  };
  const draw = (i, f, theme) => {
    const ink = sharp(canvas, width, height), drawn = [];
    for (const item of placed(shownIn(i, f))[0]) drawItem(ink, theme, i, f, item, drawn);
    spots = drawn;
    if (selector) selector.show();
  };

  // -- the choice, in numbers -----------------------------------------------------------------------------
  const nameOf = { p: (k) => matrices.terms[k].name, v: (k) => nameOfPixel(trace, k), h: nameOfUnit };
  const sum = (i) => {
    const { pick, index } = lab.chosen, { about } = phases[i], ofUnit = pick === 'h';
    const mine = all[i].filter((item) => AXES[item.form] === pick && manyOf(item) === 1)
      .map(({ array, title: name, values }) => ({ name, values: ofUnit ? columnOf(i, array) : values }));
    const chosen = picks.length ? nameOf[pick](index) : '';
    const title = [about, mine.length && chosen].filter(Boolean).join('. ') || chosen;
    if (mine.some(({ values }) => !values)) return loadingSum(title);
    const bars = mine.map(({ name, values }) =>
      ofUnit ? { name: `${name}, largest`, value: largest(values) } : { name, value: values[index] });
    const numbers = all[i].filter(({ form }) => form === 'number')
      .map(({ title: name, values }) => `${name} ${Number.isInteger(values[0]) ? values[0] : fixed(values[0], 3)}`);
    const verdict = numbers.length ? `${numbers.join(', ')}.` : '';
    canvas.ariaLabel = `The arrays of this phase. ${title}: ${verdict} Arrow keys choose another.`;
    const text = bars.map(({ name, value }) => `${name} ${fixed(value, 3)}`).join(', ');
    const drawBars = (ink, theme, room, y) => barsIn(ink, theme, bars, 0, y, room);
    return { title, verdict, blocks: bars.length ? [{ height: bars.length * BAR, text, draw: drawBars }] : [] };
  };

  canvas.onclick = (event) => {
    const [x, y] = pointedAt(event), found = spots.map((hit) => hit(x, y)).find(Boolean);
    if (found) lab.choose(found);
  };
  chooseByKeys(canvas, lab, () => ({ end: picks.find(([pick]) => pick === lab.chosen.pick)?.[2] ?? 0,
    down: lab.chosen.pick === 'v' ? columns : 0 }));

  const icon = (ink, i, x, y, side, theme) => {
    const item = all[i].find((each) => 'vp'.includes(AXES[each.form] ?? '-') && manyOf(each) === 1);
    if (!item) return phases[i].folded ? '…' : '';
    const { key, form, values } = item, cells = form === 'matrix' ? matrices.cellsOf(values) : values.subarray(0, nv);
    tile(ink, cells, form === 'matrix' ? matrices.side : columns, x, y, side, colourOf(key, theme), theme.line);
    return '';
  };
  const named = (i) => phases[i].kind, seconds = phases.map(({ folded }) => folded ? SECONDS + 1 : SECONDS);
  return { seconds, stage, picks, rows: true, layout, draw, icon, named, sum };
};
