// Labels in a chart: by measured pixels none covers another. What has a place keeps it as long as that is free, so that
// nothing jumps from frame to frame.

const LINE = 17, BESIDE = 7, MOST = 0.32;         // pixels of a line, and before a name; share of a chart for names
const ruler = document.createElement('canvas').getContext('2d');
const linesOf = (text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').split('<br>');
const widthOf = (text, font) => {
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

// The names from the highest down; two that are nearly as high stay as they were.
const inOrder = (names, kept) => {
  const order = [...names.keys()].sort((a, b) => (kept[names[a].text] ?? a) - (kept[names[b].text] ?? b));
  for (let end = order.length - 1; end > 0; end -= 1) {
    for (let i = 0; i < end; i += 1) {
      if (names[order[i]].at > names[order[i + 1]].at + LINE / 2) [order[i], order[i + 1]] = [order[i + 1], order[i]];
    }
  }
  return order;
};

const covers = (one, other) => one.left < other.right && other.left < one.right
  && one.top < other.bottom && other.top < one.bottom;
// Points of the line from one to another, as close to each other as no label is low.
const between = ([x0, y0], [x1, y1]) => {
  const n = Math.min(1_000, Math.ceil(Math.hypot(x1 - x0, y1 - y0) / (LINE / 2))) || 1;
  return Array.from({ length: n }, (_, k) => [x0 + (x1 - x0) * (k + 1) / n, y0 + (y1 - y0) * (k + 1) / n]);
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
// curves : [[x, ...], [y, ...]] of each, which labels of levels and of upright lines leave free where they can
const placeLabels = (layout, kept, { width, height, ranges, corner, curves = [] }) => {
  const notes = layout.annotations ?? [], { size, family } = layout.font, font = `${size}px ${family}`;
  const ends = notes.filter((note) => note.name === END);
  if (ends.length) {
    const right = Math.ceil(2 * BESIDE + Math.max(...ends.map((note) => widthOf(note.text, font))));
    if (right > MOST * width) {                    // no plot would be left: the figures of their trainings tell them
      layout.annotations = notes.filter((note) => note.name !== END);
      layout.margin.r = 16;
      return placeLabels(layout, kept, { width, height, ranges, corner, curves });
    }
    layout.margin.r = right;
  }
  const { l, r, t, b } = layout.margin, across = width - l - r, down = height - t - b;
  const [x, y] = [ranges.x, ranges.y].map(([low, high]) => (value) => (value - low) / (high - low));
  const pixels = (note) => [
    l + across * (note.xref === 'paper' ? note.x : x(note.x)) + (note.xshift ?? 0),
    t + down * (1 - (note.yref === 'paper' ? note.y : y(note.y))) - (note.yshift ?? 0)];
  const taken = corner ? [corner] : [], places = kept.places ?? {};
  const names = ends.map((note) => ({ note, text: note.text, at: down * (1 - y(note.y)) }));
  const order = inOrder(names, kept.order ?? {}), lines = order.map((i) => LINE * linesOf(names[i].text).length);
  kept.order = Object.fromEntries(order.map((i, place) => [names[i].text, place]));
  const wanted = order.map((i) => Math.min(Math.max(names[i].at, 0), down));
  const farthest = Math.max(...ends.map((note) => across * x(note.x)));
  apart(wanted, lines, down).forEach((middle, place) => {
    const { note, at, text } = names[order[place]], long = widthOf(text, font);
    const short = farthest - across * x(note.x);    // a line that goes on a little farther is not written over
    Object.assign(note, { xshift: BESIDE + (short < long + BESIDE ? short : 0), yshift: Math.round(at - middle) });
    const [left] = pixels(note);
    taken.push(boxOf(left, t + middle, long, lines[place], 'left', 'middle'));
  });
  kept.places = {};
  const pointsOf = () => curves.flatMap(([xs, ys]) => {
    const at = xs.map((each, i) => [l + across * x(each), t + down * (1 - y(ys[i]))]);
    return at.flatMap((each, i) => between(at[i - 1] ?? each, each));
  });
  let points;                                      // only where there are labels that mind them
  const onCurve = ({ left, right, top, bottom }) => (points ??= pointsOf()).some(([at, up]) => at > left && at < right
    && up > top && up < bottom);
  for (const note of notes.filter((each) => each.name === LEVEL || each.name === UPRIGHT)) {
    const long = widthOf(note.text, font), [w, h] = note.textangle ? [LINE, long] : [long, LINE];
    const box = (place) => {
      const moved = { ...note, ...place };
      return boxOf(...pixels(moved), w, h, moved.xanchor, moved.yanchor);
    };
    const ways = elsewhere(note), last = places[note.text] ?? 0;
    const free = (way) => ways[way] && !taken.some((each) => covers(each, box(ways[way])));
    const clear = (way) => free(way) && !onCurve(box(ways[way]));
    const all = [last, ...ways.keys()], way = all.find(clear) ?? all.find(free) ?? 0;
    kept.places[note.text] = way;
    Object.assign(note, ways[way]);
    taken.push(box(ways[way]));
  }
};
