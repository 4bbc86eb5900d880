// Drawing shared by all views of the mechanism: colours, pictures in cells, sums term by term, the sigmoid.

export const clamp = (x, low = 0, high = 1) => Math.min(Math.max(x, low), high);
export const ease = (f, from, to) => { const x = clamp((f - from) / (to - from)); return x * x * (3 - 2 * x); };
export const sigma = (x) => 1 / (1 + Math.exp(-x));
export const largest = (...arrays) => arrays.reduce((most, array) =>
  array.reduce((so, x) => Math.max(so, Math.abs(x)), most), 1e-9);

// Format a number with its sign, with as many digits as are meaningful, and no "-0".
export const fixed = (x, digits = 2) => {
  if (!Number.isFinite(x)) return x > 0 ? '+∞' : x < 0 ? '−∞' : '?';
  const size = Math.abs(x), small = size < .5 * 10 ** -digits ? size.toFixed(4) : size.toFixed(digits);
  const text = size >= 1e7 ? size.toExponential(1).replace('e+', 'e')
    : size >= 1e4 ? Math.round(size).toLocaleString('en') : small;
  return Number(text) === 0 ? '0' : (x < 0 ? '−' : '+') + text;
};
// Number of digits with which printed terms add up to their sum: three if two do not suffice, but two for many terms.
export const digitsOf = (values) => {
  const total = values.reduce((sum, value) => sum + value, 0);
  const agree = (digits) => Math.abs(values.reduce((sum, value) => sum + Number(value.toFixed(digits)), 0)
    - Number(total.toFixed(digits))) < .5 * 10 ** -digits;
  return agree(2) || !agree(3) ? 2 : 3;
};
export const asChance = (p) => p > 0 && p < .0005 ? '< 0.001' : p < 1 && p > .9995 ? '> 0.999' : p.toFixed(3);
export const isChance = (p) => asChance(p).replace(/^(?=\d)/, '= ');

// Colours of the page: states black and white, signs blue and red, the choice green, and chance amber.
export const themeOf = (root) => {
  const style = getComputedStyle(root), get = (name) => style.getPropertyValue(`--st-${name}`).trim();
  const ground = get('background-color'), dark = parseInt(ground.slice(1, 3), 16) < 128;
  return { text: get('text-color'), ground, dark, line: get('border-color'), chosen: dark ? '#4ADE80' : '#16A34A',
    second: get('secondary-background-color'), font: get('font') || 'sans-serif', soft: dark ? '#A9ADB2' : '#565C63',
    plus: dark ? '96,165,250' : '29,78,216', minus: dark ? '251,113,133' : '190,18,60',
    lit: dark ? '#FBBF24' : '#B45309', shade: dark ? 'rgba(251,191,36,.16)' : 'rgba(180,83,9,.12)' };
};

// Red, nothing, blue: the same distance from zero has the same strength. The root makes small values visible.
export const signed = (x, limit, theme, most = 1) =>
  `rgba(${x < 0 ? theme.minus : theme.plus},${(most * Math.sqrt(clamp(Math.abs(x) / limit))).toFixed(3)})`;
// The same as a colouring of pictures, which are painted once and cached.
export const signedBy = (limit, theme) =>
  Object.assign((x) => signed(x, limit, theme), { key: `${limit} ${theme.dark}` });
// Colour of text on such a colour.
export const inkOn = (x, limit, theme) => Math.abs(x) > .36 * limit ? theme.ground : theme.text;
export const gray = (p) => { const level = Math.round(255 * clamp(p)); return `rgb(${level},${level},${level})`; };
gray.key = 'gray';

// Scale factor of the page for text, lines and marks.
export const largerIn = (host) => Number(getComputedStyle(host).getPropertyValue('--lab-larger')) || 1;

// Return the cleared context of a canvas as sharp as the screen, measured in pixels of the unscaled page.
let dots = 1;
export const sharp = (canvas, width, height) => {
  dots = (window.devicePixelRatio || 1) * largerIn(canvas);
  const [w, h] = [Math.round(width * dots), Math.round(height * dots)];
  if (canvas.width !== w || canvas.height !== h) {
    Object.assign(canvas, { width: w, height: h });
    canvas.style.height = `${height}px`;
  }
  const ink = canvas.getContext('2d');
  ink.textRendering = 'geometricPrecision';       // letters keep their distances if a pixel is one and a half dots
  ink.setTransform(dots, 0, 0, dots, 0, 0);
  ink.clearRect(0, 0, width, height);
  return ink;
};

const SMALLEST = 12;                              // pixels of a letter that is readable from the last row
export const say = (ink, theme, words, x, y, how = {}) => {
  const { size = 13, colour = theme.text, align = 'left', weight = 400, room } = how;
  ink.font = `${weight} ${Math.max(size, SMALLEST)}px ${theme.font}`;
  Object.assign(ink, { textAlign: align, textBaseline: 'middle', fillStyle: colour });
  let text = words;
  if (room !== undefined && ink.measureText(text).width > room) {
    while (text.length > 1 && ink.measureText(`${text}…`).width > room) text = text.slice(0, -1);
    text += '…';
  }
  ink.fillText(text, x, y);
};

// Draw a line through points, each [x, y], dashed or not.
export const lineThrough = (ink, points, dash = []) => {
  ink.setLineDash(dash);
  ink.beginPath();
  points.forEach(([x, y], k) => ink[k ? 'lineTo' : 'moveTo'](x, y));
  ink.stroke();
  ink.setLineDash([]);
};

// Position of a pointer on a canvas, in the pixels that it is drawn with.
export const pointedAt = (event) => {
  const canvas = event.currentTarget, { left, top, width } = canvas.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top].map((far) => far * canvas.clientWidth / width);
};

// Draw a small framed picture of values in rows of `columns` cells.
// colour : colour of a value; one with a `key` is cached for as long as the values exist
const PAINTED = new WeakMap(), WORTH = 64;        // cells from which on a picture is cached
export const tile = (ink, values, columns, x, y, side, colour, frame) => {
  const cell = side / columns, rows = Math.ceil(values.length / columns);
  // on whole dots, or seams are visible between the cells
  const [across, down] = [x, y].map((from) => (k) => Math.round((from + k * cell) * dots) / dots);
  const [width, height] = [across(columns) - across(0), down(rows) - down(0)];
  if (colour.key && values.length >= WORTH && columns * rows === values.length) {
    Object.assign(ink, { imageSmoothingEnabled: false });
    ink.drawImage(bitmapOf(values, columns, colour), across(0), down(0), width, height);
  } else for (let i = 0; i < values.length; i++) {
    const q = i % columns, r = Math.floor(i / columns);
    ink.fillStyle = colour(values[i], i);
    ink.fillRect(across(q), down(r), across(q + 1) - across(q), down(r + 1) - down(r));
  }
  if (!frame) return;
  Object.assign(ink, { strokeStyle: frame, lineWidth: 1 });
  ink.strokeRect(across(0) - .5, down(0) - .5, width + 1, height + 1);
};
const bitmapOf = (values, columns, colour) => {
  const kept = PAINTED.get(values);
  if (kept?.key === colour.key) return kept.bitmap;
  const bitmap = new OffscreenCanvas(columns, values.length / columns), ink = bitmap.getContext('2d');
  for (let i = 0; i < values.length; i++) {
    ink.fillStyle = colour(values[i], i);
    ink.fillRect(i % columns, Math.floor(i / columns), 1, 1);
  }
  PAINTED.set(values, { key: colour.key, bitmap });
  return bitmap;
};

// Draw a sum, term by term: each bar starts at the end of the one above; the last row is the sum.
// terms : [{ name, value, chosen? }]; row : height of a row; names : room at the left for them
// part : share of the terms shown by now; digits : of numbers. Returns the height of the drawing.
export const waterfall = (ink, theme, terms, { width, top = 0, row = 26, names = 110, result = 'sum', part = 1,
  digits = 2 }) => {
  let at = 0, low = 0, high = 0;
  for (const { value } of terms) { at += value; low = Math.min(low, at); high = Math.max(high, at); }
  const right = width - 62, x = (value) => names + (right - names) * (value - low) / Math.max(high - low, 1e-9);
  Object.assign(ink, { strokeStyle: theme.soft, lineWidth: 1 });
  lineThrough(ink, [[x(0), top], [x(0), top + row * (terms.length + 1)]], [2, 3]);
  const bar = (from, { name, value, chosen }, y, strong) => {
    const mid = y + row / 2, weight = strong || chosen ? 600 : 400;
    if (chosen) { ink.fillStyle = theme.second; ink.fillRect(0, y, width, row); }
    say(ink, theme, name, names - 8, mid, { align: 'right', weight, room: names - 8 });
    ink.fillStyle = strong ? theme.text : signed(value, 1e-9, theme, .85);
    ink.fillRect(Math.min(x(from), x(from + value)), y + 5, Math.max(Math.abs(x(from + value) - x(from)), 1), row - 10);
    say(ink, theme, fixed(value, digits), width - 2, mid, { align: 'right', weight });
  };
  at = 0;
  terms.slice(0, Math.ceil(part * terms.length)).forEach((term, i) => {
    bar(at, term, top + i * row, false);
    at += term.value;
    Object.assign(ink, { strokeStyle: theme.soft, lineWidth: 1 });
    ink.beginPath(); ink.moveTo(x(at), top + i * row + 5); ink.lineTo(x(at), top + (i + 1) * row + 5); ink.stroke();
  });
  if (part >= 1) bar(0, { name: result, value: at }, top + terms.length * row, true);
  return row * (terms.length + 1);
};

// Return the largest terms, in their order, and the rest as two sums: the positive and the negative terms.
export const strongest = (terms, most, rest = 'others') => {
  if (terms.length <= most) return terms;
  const order = [...terms].sort((a, b) => Math.abs(b.value) - Math.abs(a.value)), few = new Set(order.slice(0, most));
  const group = (name, some) => some.length
    ? [{ name: `${some.length} ${rest} ${name}`, value: some.reduce((sum, { value }) => sum + value, 0) }] : [];
  const left = order.slice(most);
  return [...terms.filter((term) => few.has(term)), ...group('for', left.filter(({ value }) => value > 0)),
    ...group('against', left.filter(({ value }) => value <= 0))];
};

// Draw the sigmoid with the point on it; u, if any, is the line that decides: on if it lies below the curve.
export const sigmoidAt = (ink, theme, { x, y, width, height, field, u, known = true }) => {
  const reach = clamp(Math.ceil(Math.abs(field) + 1), 5, 10), p = sigma(field);
  const px = (a) => x + width * (clamp(a, -reach, reach) + reach) / (2 * reach), py = (q) => y + height * (1 - q);
  Object.assign(ink, { strokeStyle: theme.line, lineWidth: 1 });
  ink.strokeRect(x + .5, y + .5, width, height);
  if (u !== undefined) { ink.fillStyle = theme.shade; ink.fillRect(x, py(u), width, py(0) - py(u)); }
  Object.assign(ink, { strokeStyle: theme.text, lineWidth: 2 });
  const along = Array.from({ length: 61 }, (_, k) => reach * (k / 30 - 1));
  lineThrough(ink, along.map((a) => [px(a), py(sigma(a))]));
  if (known) {
    Object.assign(ink, { strokeStyle: theme.soft, lineWidth: 1 });
    lineThrough(ink, [[px(field), py(0)], [px(field), py(p)], [x, py(p)]], [3, 3]);
    if (u !== undefined) {
      Object.assign(ink, { strokeStyle: theme.lit, lineWidth: 2 });
      ink.beginPath(); ink.moveTo(x, py(u)); ink.lineTo(x + width, py(u)); ink.stroke();
      say(ink, theme, `u ${u.toFixed(2)}`, x + width - 4, py(u) + (u > .9 ? 9 : -9),
        { size: 11, colour: theme.lit, align: 'right' });
    }
    ink.fillStyle = theme.chosen;
    ink.beginPath(); ink.arc(px(field), py(p), 5, 0, 7); ink.fill();
  }
  const axis = { size: 11, colour: theme.soft };
  for (const [a, align] of [[-reach, 'left'], [0, 'center'], [reach, 'right']]) {
    say(ink, theme, a === 0 ? '0' : fixed(a, 0), px(a), y + height + 10, { ...axis, align });
  }
  say(ink, theme, '1', x - 5, y + 5, { ...axis, align: 'right' });
  say(ink, theme, '0', x - 5, y + height - 5, { ...axis, align: 'right' });
};
