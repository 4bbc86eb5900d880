// Labels in a chart: by measured pixels none covers another. What has a place keeps it as long as that is free, so that
// nothing jumps from frame to frame.

import { END, LEVEL, UPRIGHT } from './constants.js';

const LINE = 17, BESIDE = 7, SAME = 2;            // pixels of a line, before a name, and between two that are level
const MOST = 0.32;                                // share of a chart for names
const ruler = document.createElement('canvas').getContext('2d');
const linesOf = (text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').split('<br>');
export const widthOf = (text, font) => {
  ruler.font = font;
  return Math.max(...linesOf(text).map((line) => ruler.measureText(line).width));
};

// Where the middles of labels lie, of these from the highest down, so that none overlaps the next and all are inside as
// long as there is room: as near as that allows to where they belong.
const apart = (middles, heights, room) => {
  let sum = 0;
  const stacked = heights.map((height) => { sum += height; return sum - height / 2; });
  // What is left of the heights need only rise: the middle of the highest before and the lowest after does.
  const free = middles.map((middle, i) => middle - stacked[i]), rise = [], fall = [];
  free.forEach((each, i) => { rise[i] = Math.max(each, rise[i - 1] ?? -Infinity); });
  for (let i = free.length - 1; i >= 0; i -= 1) fall[i] = Math.min(free[i], fall[i + 1] ?? Infinity);
  return stacked.map((each, i) => each + Math.min(Math.max((rise[i] + fall[i]) / 2, 0), Math.max(0, room - sum)));
};

// What notes are known by from drawing to drawing: the text, and which of those of one text.
const keysOf = (notes) => {
  const counts = new Map();
  return notes.map(({ text }) => {
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return `${counts.get(text)} ${text}`;
  });
};

// The names from the highest down: none stands above one whose curve ends more than SAME pixels higher; the others stay
// as they were, or where they are new, stand as their curves end.
const inOrder = (names, kept) => {
  const left = names.map(({ key, at }, i) => ({ i, at, place: kept[key] ?? Infinity }));
  return names.map(() => {
    const highest = Math.min(...left.map(({ at }) => at));
    const [next] = left.filter(({ at }) => at <= highest + SAME).sort((a, b) => a.place - b.place || a.at - b.at);
    left.splice(left.indexOf(next), 1);
    return next.i;
  });
};

const covers = (one, other) => one.left < other.right && other.left < one.right
  && one.top < other.bottom && other.top < one.bottom;
const within = (each, low, high) => each > low && each < high;
// Which part of a line, in shares of it, lies between two levels.
const share = (from, to, low, high) => {
  if (from === to) return within(from, low, high) ? [0, 1] : [1, 0];
  const ends = [(low - from) / (to - from), (high - from) / (to - from)];
  return from < to ? ends : ends.reverse();
};
// Whether a curve passes through a box: looked at are only its points around it.
// across, up : pixels of the i-th of n points, which go from left to right
const passes = (n, across, up, { left, right, top, bottom }) => {
  let low = 0, high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (across(middle) <= left) low = middle + 1; else high = middle;
  }
  for (let i = Math.max(low - 1, 0); i < n && across(i) < right; i += 1) {
    const next = Math.min(i + 1, n - 1), y0 = up(i), y1 = up(next);
    if (Math.max(y0, y1) <= top || Math.min(y0, y1) >= bottom) continue;
    const [from, to] = share(across(i), across(next), left, right), [begins, ends] = share(y0, y1, top, bottom);
    if (Math.max(from, begins, 0) < Math.min(to, ends, 1)) return true;
  }
  return false;
};
const boxOf = (x, y, width, height, xanchor, yanchor) => {
  const left = x - { left: 0, center: width / 2, right: width }[xanchor];
  const top = y - { top: 0, middle: height / 2, bottom: height }[yanchor];
  return { left, right: left + width, top, bottom: top + height };
};
// Where else a label may stand: of one along a level the other edge and side of it, of an upright one the same.
const elsewhere = (note) => {
  const other = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' };
  const { xanchor, yanchor, xshift, x, y } = note;
  if (note.textangle) {
    const sides = [{ xanchor, xshift }, { xanchor: other[xanchor], xshift: -xshift }];
    const heights = [{ y, yanchor }, { y: 1, yanchor: 'top' }, { y: 0, yanchor: 'bottom' }];
    return heights.flatMap((height) => sides.map((side) => ({ ...height, ...side })));
  }
  const edges = [{ x, xanchor }, { x: 1 - x, xanchor: other[xanchor] }];
  return [yanchor, other[yanchor]].flatMap((side) => edges.map((edge) => ({ ...edge, yanchor: side })));
};

// kept : of one chart, from drawing to drawing; ranges : of the axes as they are drawn; corner : what covers a corner
// curves : [[x, ...], [y, ...]] of each, by rising x: labels of levels and of upright lines leave them free if they can
// logs : which of the axes are logarithmic
export const placeLabels = (layout, kept, room) => {
  const { width, height, ranges, corner, curves = [], logs = {} } = room;
  const notes = layout.annotations ?? [], { size, family } = layout.font, font = `${size}px ${family}`;
  const ends = notes.filter((note) => note.name === END);
  if (ends.length) {
    const right = Math.ceil(2 * BESIDE + Math.max(...ends.map((note) => widthOf(note.text, font))));
    if (right > MOST * width) {                    // no plot would be left: the figures of their trainings show them
      layout.annotations = notes.filter((note) => note.name !== END);
      layout.margin.r = 16;
      return placeLabels(layout, kept, room);
    }
    layout.margin.r = right;
  }
  const { l, r, t, b } = layout.margin, across = width - l - r, down = height - t - b;
  const [x, y] = [ranges.x, ranges.y].map(([low, high]) => (value) => (value - low) / (high - low));
  const pixels = (note) => [
    l + across * (note.xref === 'paper' ? note.x : x(note.x)) + (note.xshift ?? 0),
    t + down * (1 - (note.yref === 'paper' ? note.y : y(note.y))) - (note.yshift ?? 0)];
  const numbers = { left: 0, right: width, top: t + down, bottom: height };       // of the axis below
  const taken = corner ? [numbers, corner] : [numbers], places = kept.places ?? {};
  const keys = keysOf(ends);
  const names = ends.map((note, i) => ({ note, key: keys[i], text: note.text, at: down * (1 - y(note.y)) }));
  const order = inOrder(names, kept.order ?? {}), lines = order.map((i) => LINE * linesOf(names[i].text).length);
  kept.order = Object.fromEntries(order.map((i, place) => [names[i].key, place]));
  const wanted = order.map((i) => Math.min(Math.max(names[i].at, 0), down));
  const onAxis = (value, log) => value === null ? NaN : log ? Math.log10(value) : value;           // null is a gap
  const onCurve = (box) => curves.some(([xs, ys]) => passes(
    xs.length, (i) => l + across * x(onAxis(xs[i], logs.x)), (i) => t + down * (1 - y(onAxis(ys[i], logs.y))), box));
  const aside = kept.aside ??= {};
  const farthest = Math.max(...ends.map((note) => across * x(note.x)));
  apart(wanted, lines, down).forEach((middle, place) => {
    const { note, key, at, text } = names[order[place]], long = widthOf(text, font);
    const short = farthest - across * x(note.x);    // a line that goes on farther is not written over
    Object.assign(note, { xshift: BESIDE, yshift: Math.round(at - middle) });
    const boxNow = () => boxOf(pixels(note)[0], t + middle, long, lines[place], 'left', 'middle');
    if (short < long + BESIDE || aside[key] || onCurve(boxNow())) {
      note.xshift += short;
      aside[key] = true;                            // and does not come back with the next crossing
    }
    taken.push(boxNow());
  });
  kept.places = {};
  const others = notes.filter((each) => each.name === LEVEL || each.name === UPRIGHT), known = keysOf(others);
  others.forEach((note, i) => {
    const long = widthOf(note.text, font), [w, h] = note.textangle ? [LINE, long] : [long, LINE];
    const box = (place) => {
      const moved = { ...note, ...place };
      return boxOf(...pixels(moved), w, h, moved.xanchor, moved.yanchor);
    };
    const ways = elsewhere(note), last = places[known[i]] ?? 0;
    const free = (way) => ways[way] && !taken.some((each) => covers(each, box(ways[way])));
    const clear = (way) => free(way) && !onCurve(box(ways[way]));
    const all = [last, ...ways.keys()], way = all.find(clear) ?? all.find(free) ?? 0;
    kept.places[known[i]] = way;
    Object.assign(note, ways[way]);
    taken.push(box(ways[way]));
  });
};
