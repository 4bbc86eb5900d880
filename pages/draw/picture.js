// Pictures, drawn in place of the previous ones, with a frame around the chosen tile and a scale of their colours.

import { made, put } from './elements.js';

const minus = (number) => `\u2212${number}`;

const swap = (host, fields) => {                  // decoded before it is shown, so that nothing is blank meanwhile
  const turn = host.turn = (host.turn ?? 0) + 1, drawn = host.querySelector('img.drawn');
  const next = made('img', 'drawn', { decoding: 'sync', ...fields });
  if (!drawn) { host.shown = turn; return host.append(next); }
  if (drawn.src === next.src) { host.shown = turn; return drawn.alt = fields.alt; }
  next.decode().catch(() => {}).then(() => {
    if (turn < host.shown || !host.isConnected) return;                  // a newer one was decoded earlier
    host.shown = turn;
    Object.assign(drawn, fields);                 // in place: a click during a frame keeps its target
  });
};

const picked = ({ columns, lines, values }, { target, clientX, clientY }) => {
  const { left, top, width, height } = target.getBoundingClientRect();
  const at = (from, size, count) => Math.min(count - 1, Math.max(0, Math.floor((from / size) * count)));
  const place = at(clientY - top, height, lines) * columns + at(clientX - left, width, columns);
  return values.length ? values[place] : String(place);
};

// Over the picture, which does not have the colour of the text.
export const frameTile = (sheet, pick) => {
  const { values, value } = pick ?? {}, at = !value ? -1 : values.length ? values.indexOf(value) : Number(value);
  const frame = sheet.querySelector('.chosen') ?? made('div', 'chosen');
  if (at < 0) return frame.remove();
  const { columns, lines } = pick, place = (of, count) => `${100 * of / count}%`;
  Object.assign(frame.style, { width: place(1, columns), height: place(1, lines), left: place(at % columns, columns),
    top: place(Math.floor(at / columns), lines) });
  sheet.append(frame);
};

const drawPicture = (host, picture, choose) => {
  const { src, alt, width, height, caption, limit, pick } = picture;
  const words = host.querySelector('figcaption') ?? host.appendChild(made('figcaption', ''));
  put(words, caption); words.hidden = !caption;
  const sheet = host.querySelector('.sheet') ?? host.appendChild(made('div', 'sheet'));
  swap(sheet, { src, alt, width, height });
  host.classList.toggle('picks', !!pick);
  host.pick = pick;
  frameTile(sheet, pick);
  host.onclick = (event) => {                                          // by keyboard the select box does the same
    const value = pick && event.target.matches('img.drawn') ? picked(pick, event) : undefined;
    if (value !== undefined) choose(pick.name, value);
  };
  host.querySelector('.scale')?.remove();
  if (limit == null) return;
  const [low, high] = [made('span', '', { textContent: minus(limit) }), made('span', '', { textContent: limit })];
  const bar = made('span', 'bar', { role: 'img',
    ariaLabel: `Colour scale from minus ${limit} in red over zero in white to ${limit} in blue.` });
  host.append(made('div', 'scale', {}, low, bar, high));
};

export const drawPictures = (cell, panel, choose) => {
  const body = cell.querySelector('.body');
  panel.pictures.forEach((picture, i) => {
    const host = body.children[i] ?? body.appendChild(made('figure', ''));
    drawPicture(host, picture, choose);
  });
  while (body.children.length > panel.pictures.length) body.lastChild.remove();
};
