// The reference: what is searched for in it, and the entry that an address names.

import { made } from '../frames/elements.js';
import { mathIn } from '../frames/math.js';
import { LONGEST, PAGE, STYLE } from './constants.js';

const ENTRY = `a[href^="?entry="], a[href^="${PAGE}?entry="]`;
const texts = new WeakMap();                      // of what is searched, as it was before equations were dressed
const all = () => document.querySelector(`.${STYLE}`);
const plain = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase();
const textOf = (part) => {
  if (!texts.has(part)) {
    const own = part.cloneNode(true);
    own.querySelectorAll('.ways').forEach((each) => each.remove());   // titles of other entries
    texts.set(part, plain(own.textContent));
  }
  return texts.get(part);
};

// What all entries of a section are found by: its title, and other words for it.
const sectionOf = (entry) => {
  const section = entry.closest('section');
  const said = () => plain(`${section.querySelector('h2').textContent} ${section.dataset.also}`);
  if (!texts.has(section)) texts.set(section, said());
  return texts.get(section);
};

// Whether each word of a search begins a word of a text; one that begins with a sign may stand anywhere.
const LETTER = /^[\p{L}\p{N}]/u, ENDS_IN_LETTER = /[\p{L}\p{N}]$/u;
const has = (text, word) => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!LETTER.test(word) || !ENDS_IN_LETTER.test(text.slice(Math.max(0, at - 2), at))) return true;
  }
  return false;
};
const found = (words, text) => words.every((word) => has(text, word));
const wordsOf = (search) => plain(search).split(/\s+/).filter(Boolean);

const address = (key, value, write) => {
  const here = new URL(location.href);
  for (const each of ['q', 'entry']) here.searchParams.delete(each);
  if (value) here.searchParams.set(key, value);
  here.hash = '';
  if (here.href !== location.href) history[write](history.state, '', here.href);
};

// Show what a search finds, and say how much that is.
const filter = (kept, search) => {
  if (!kept.shown) return;                        // its text has yet to come
  const words = wordsOf(search), entries = [...kept.shown.querySelectorAll('article')];
  for (const entry of entries) {
    entry.hidden = !found(words, `${textOf(entry)} ${sectionOf(entry)}`);
    const fields = entry.querySelector('details');
    if (fields) fields.open = words.length > 0 && !entry.hidden && found(words, textOf(fields));
  }
  for (const section of kept.shown.querySelectorAll('section')) {
    section.hidden = !section.querySelector('article:not([hidden])');
    kept.shown.querySelector(`nav [data-of="${section.id}"]`).hidden = section.hidden;
  }
  for (const line of kept.shown.querySelectorAll('nav li li')) {
    line.hidden = kept.shown.querySelector(`#${CSS.escape(idOf(line.firstChild))}`)?.hidden ?? false;
  }
  const there = entries.filter(({ hidden }) => !hidden).length;
  const more = there ? '' : ' Try fewer words, or their beginnings.';
  kept.said.textContent = words.length ? `${there} of ${entries.length} entries.${more}`
    : `${entries.length} entries.`;
};
const idOf = (link) => new URL(link.href).searchParams.get('entry') ?? '';

// Bring an entry, a field or a section into sight, with the focus, so that reading goes on there.
const go = (kept, id) => {
  const part = document.getElementById(id);
  if (!part || !kept.shown.contains(part)) return;
  if (part.closest('[hidden]')) {
    kept.field.value = '';
    filter(kept, '');
  }
  kept.shown.querySelector('.asked')?.classList.remove('asked');
  if (!part.matches('section')) part.classList.add('asked');
  for (const fields of [part.closest('details'), part.querySelector(':scope > details')]) {
    if (fields) fields.open = true;
  }
  part.tabIndex = -1;                             // so that it takes the focus
  part.scrollIntoView();
  part.focus({ preventScroll: true });
};

// The best of what was found: an entry whose title has the words, else the first.
const best = (kept) => {
  const words = wordsOf(kept.field.value), there = [...kept.shown.querySelectorAll('article:not([hidden])')];
  return there.find((entry) => found(words, plain(entry.querySelector('h3').textContent))) ?? there[0];
};

const begin = (root) => {
  const field = made('input', '', { type: 'search', maxLength: LONGEST, autocomplete: 'off', spellcheck: false });
  const said = made('p', '', { role: 'status' });
  root.replaceChildren(made('label', '', {}, 'Search the reference', field), said);
  const kept = { root, field, said, ending: new AbortController() }, { signal } = kept.ending;
  field.addEventListener('input', () => {
    filter(kept, field.value);
    address('q', field.value.trim(), 'replaceState');
  });
  field.addEventListener('keydown', (event) => {
    const first = event.key === 'Enter' && kept.shown && best(kept);
    if (!first) return;
    event.preventDefault();
    go(kept, first.id);
  });
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.(ENTRY), plainly = !(event.ctrlKey || event.metaKey || event.shiftKey);
    if (!link || !plainly || event.button) return;
    event.preventDefault();
    address('entry', idOf(link), 'pushState');
    go(kept, idOf(link));
  }, { signal, capture: true });
  addEventListener('popstate', () => {
    const { searchParams } = new URL(location.href);
    take(kept, searchParams.get('q') ?? '', searchParams.get('entry') ?? '');
  }, { signal });
  return kept;
};

const take = (kept, search, entry) => {
  kept.field.value = search.slice(0, LONGEST);
  filter(kept, kept.field.value);
  if (entry) go(kept, entry);
};

const shown = async (root) => {                   // the first visitor's is written while he waits
  while (!all()?.querySelector('section:last-child') && root.isConnected) await new Promise(requestAnimationFrame);
  return all();
};

const KEPT = new WeakMap();
export const draw = async (root, { data: { q, entry } }) => {
  if (!KEPT.has(root)) KEPT.set(root, begin(root));
  const kept = KEPT.get(root), there = await shown(root), asked = `${entry}\n${q}`;
  if (!there || !root.isConnected) return;
  if (kept.shown !== there) {                     // drawn, or drawn anew
    kept.shown = there;
    for (const each of there.querySelectorAll('article')) textOf(each);
    for (const each of there.querySelectorAll('details')) textOf(each);
    for (const each of there.querySelectorAll('.math')) mathIn(each, each.textContent);
    filter(kept, kept.field.value);
  }
  if (kept.asked === asked) return;
  kept.asked = asked;
  take(kept, q, entry);
};
export const leave = (root) => KEPT.get(root)?.ending.abort();
