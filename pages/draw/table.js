// Tables: sorted by the heading that was pressed last, and saved as files.

import { csvFile, made, put, saved } from './elements.js';

const NEXT = { none: 'ascending', ascending: 'descending', descending: 'none' };
const ARROW = { none: '', ascending: ' \u25b2', descending: ' \u25bc' };
const ALPHABET = new Intl.Collator(undefined, { numeric: true });

const rowsInOrder = (columns, { by, order }) => {
  const rows = [...columns[0].texts.keys()], column = columns.find(({ title }) => title === by);
  if (!column || order === 'none') return rows;
  const { texts, numbers } = column, sign = order === 'ascending' ? 1 : -1;
  const unknown = (row) => numbers ? numbers[row] === null : !texts[row];      // last in any order
  const compare = numbers ? (a, b) => numbers[a] - numbers[b] : (a, b) => ALPHABET.compare(texts[a], texts[b]);
  return rows.sort((a, b) => unknown(a) - unknown(b) || sign * compare(a, b));
};

// Guard against words that a spreadsheet would run as formulas.
const formula = (text) => /^\s*[=+\-@\uff0b\uff0d\uff1d\uff20]/.test(text) && Number.isNaN(Number(text));
const word = (text) => `"${formula(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
const asFile = (columns, rows) => {
  const cell = ({ texts, numbers }, row) => numbers ? numbers[row] ?? '' : word(texts[row]);
  const lines = [columns.map(({ title }) => word(title)), ...rows.map((row) => columns.map((each) => cell(each, row)))];
  return csvFile(lines.map((cells) => `${cells.join(',')}\r\n`).join(''));
};

const kindOf = ({ numbers, room }) => `${numbers ? 'number' : ''} ${room}`;
const newHeading = (column) =>
  made('th', kindOf(column), { scope: 'col' }, made('button', '', { type: 'button' },
    made('span', '', { textContent: column.title }), made('span', '', { ariaHidden: 'true' })));
const newTable = (columns, title) => made('table', 'lab-table', {},
  made('caption', 'unseen', { textContent: `${title}. Click a heading to sort.` }),
  made('thead', '', {}, made('tr', '', {}, ...columns.map(newHeading))), made('tbody', ''));

const newLine = (columns) => made('tr', '', {}, ...columns.map((column, i) =>
  made(i ? 'td' : 'th', kindOf(column), i ? {} : { scope: 'row' })));

export const drawTable = (cell, title, { name, columns }) => {
  const body = cell.querySelector('.body'), titles = JSON.stringify(columns.map((each) => [each.title, !each.numbers]));
  if (!body.firstChild || cell.titles !== titles) {
    cell.titles = titles;
    cell.sorting ??= { by: '', order: 'none' };
    const how = { tabIndex: 0, role: 'region', ariaLabel: title };
    const box = made('div', 'scrolled', how, newTable(columns, title));
    body.replaceChildren(box, made('button', 'save', { type: 'button', textContent: 'Save as CSV' }));
  }
  const table = body.querySelector('table'), lines = table.tBodies[0], rows = rowsInOrder(columns, cell.sorting);
  while (lines.children.length > rows.length) lines.lastChild.remove();
  while (lines.children.length < rows.length) lines.append(newLine(columns));
  rows.forEach((row, i) => columns.forEach(({ texts }, j) => put(lines.children[i].children[j], texts[row])));
  [...table.tHead.rows[0].children].forEach((heading, i) => {
    const order = columns[i].title === cell.sorting.by ? cell.sorting.order : 'none', button = heading.firstChild;
    if (order === 'none') heading.removeAttribute('aria-sort'); else heading.setAttribute('aria-sort', order);
    button.lastChild.textContent = ARROW[order];
    button.onclick = () => {
      cell.sorting = { by: columns[i].title, order: NEXT[order] };
      drawTable(cell, title, { name, columns });
    };
  });
  const button = body.querySelector('.save');
  button.setAttribute('aria-label', `Save as CSV: ${title}`);
  button.onclick = () => saved(`${name}.csv`, asFile(columns, rows));
};
