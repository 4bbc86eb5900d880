// Words: terms of art, and explanations that open beside what was pressed: by mouse, finger or keys.

import { WORDS } from './constants.js';
import { made, put } from './elements.js';
import { mendHistory } from './history.js';
import { dress } from './mount.js';

const TERM = new RegExp(WORDS.pattern, 'g'), LINK = '#word-', ARRIVING = 5_000;   // ms within which a page is drawn
const keyOf = (found) => WORDS.forms[found] ?? WORDS.forms[found[0].toLowerCase() + found.slice(1)];

// A text in which each term, where it stands first, is a button to its explanation. Drawn anew only where it has
// changed, and in place where only words around the terms have: what somebody has reached by keys stays.
// marked : the terms that are marked already
export const mark = (host, text, marked = new Set()) => {
  if (host.marked === text) return;
  host.marked = text;
  const pieces = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(TERM)) {
    const key = keyOf(found);
    if (marked.has(key)) continue;
    marked.add(key);
    pieces.push([text.slice(from, index)], [found, key]);
    from = index + found.length;
  }
  pieces.push([text.slice(from)]);
  const there = [...host.childNodes];
  if (there.length === pieces.length && pieces.every(([, key], i) => there[i].dataset?.word === key)) {
    return pieces.forEach(([piece], i) => put(there[i], piece));
  }
  host.replaceChildren(...pieces.map(([piece, key]) => key ? termOf(piece, key) : document.createTextNode(piece)));
};
const termOf = (textContent, word) => {
  const term = made('button', 'term', { type: 'button', textContent, ariaHasPopup: 'dialog' });
  term.dataset.word = word;
  return term;
};

// Where the reference says more: of a term, of the field that a question mark is of, or else of the first term in the
// texts that are shown. In a tab of its own, so that what goes on here is not left.
const termEntry = (key) => `term-${key.toLowerCase()}`;
const entryIn = (...texts) => {
  for (const text of texts) for (const [found] of text.matchAll(TERM)) return termEntry(keyOf(found));
  return '';
};
const WIDGET = /^st-key-(.*?)(?:-\d+)?$/;          // a key in Python, and how often the widget was made anew
const fieldEntry = (mark) => [...mark.closest('[class*="st-key-"]')?.classList ?? []]
  .map((name) => WIDGET.exec(name)?.[1].toLowerCase())
  .map((name) => WORDS.sections[name] ?? (WORDS.fields.includes(name) ? name : '')).find(Boolean) ?? '';
let page, base;
const lead = (link, entry) => {
  link.href = `${base}/${WORDS.page}${entry && `?entry=${entry}`}`;
  const here = page === WORDS.page;               // which finds its own entries
  link.target = here ? '' : '_blank';
  link.ariaLabel = here ? null : 'More in the reference, in a new tab';
};

// The one sheet of a page. `fill` fills its body; `entry` is that of the reference.
const SHEET = `<div class="words" popover role="dialog" tabindex="-1" autofocus><p class="of"></p><div></div>
  <p class="more"><a rel="noopener">More in the reference</a></p></div>`;
const AGAIN_CLOSES = 400;                         // ms from the press that closed it, of the same button, to its click
let sheet, opener, closed = { by: undefined, at: 0 };

// Whether this press of a button is the one that has just closed what it had opened.
const closes = (by) => {
  const just = closed.by === by && performance.now() - closed.at < AGAIN_CLOSES;
  if (just) closed.by = undefined;
  return just;
};

const explain = (by, title, entry, fill) => {
  if (!sheet?.isConnected || closes(by)) return;
  const inside = sheet.contains(by), at = (inside ? opener : by).getBoundingClientRect();
  if (!inside) opener = by;
  const { firstChild: head } = sheet, body = head.nextSibling;
  lead(sheet.querySelector('.more a'), entry);
  head.textContent = title;
  sheet.ariaLabel = title;
  fill(body);
  if (!sheet.matches(':popover-open')) sheet.showPopover();
  const room = document.documentElement.clientWidth - sheet.offsetWidth - 8, gap = 6;
  const under = at.bottom + gap, over = at.top - gap - sheet.offsetHeight;
  const low = innerHeight - sheet.offsetHeight - 8, top = under <= low || over < 8 ? Math.min(under, low) : over;
  sheet.style.left = `${Math.max(8, Math.min(at.left, room))}px`;
  sheet.style.top = `${Math.max(8, top)}px`;
  sheet.scrollTop = 0;
  sheet.focus({ preventScroll: true });
};
export const explainText = (by, title, text, entry = entryIn(title, text)) => explain(by, title, entry, (body) => {
  body.replaceChildren(made('p', ''));
  mark(body.firstChild, text);
});
const explainWord = (by, key) => {
  if (WORDS.words[key]) explainText(by, ...WORDS.words[key], termEntry(key));
};

// Streamlit's own question marks beside labels: what they would say over the fields around is said in the sheet. Each
// says it in a tooltip, there only while it is open, that the mark's surroundings name.
const HELP = '[data-testid="stTooltipIcon"] button[aria-label^="Help"]';   // around a button of ours is one, too
const SURROUND = '[aria-describedby], [data-testid="stTooltipHoverTarget"]';
const TOOLTIP = '[data-testid="stTooltipContent"]';
const ANSWERS = 5_000;                            // ms in which a tooltip has opened
const tooltipOf = (around) => document.getElementById(around.getAttribute('aria-describedby'))?.querySelector(TOOLTIP);
// As if the mouse left, or came: what closes a tooltip, and opens one that something else has closed or kept closed.
const [LEAVES, COMES] = ['pointerout', 'pointerover'];
const move = (around, ...types) => types.forEach((type) =>
  around.dispatchEvent(new PointerEvent(type, { bubbles: true })));
let asked = 0;
const explainHelp = async (by) => {
  if (closes(by)) return;
  const turn = asked += 1, around = by.closest(SURROUND), until = performance.now() + ANSWERS;
  if (around && !tooltipOf(around)) move(around, LEAVES, COMES);
  while (around && !tooltipOf(around) && performance.now() < until) await new Promise(requestAnimationFrame);
  const help = around && tooltipOf(around);
  if (!help || turn !== asked) return;            // another has been pressed since
  const label = (by.ariaLabel ?? '').replace(/^Help( for )?/, ''), texts = made('div', '');
  texts.append(...[...help.childNodes].map((each) => each.cloneNode(true)));
  move(around, LEAVES);
  const entry = fieldEntry(by) || entryIn(label, texts.textContent);
  explain(by, label || 'What is this?', entry, (body) => {
    const words = new Set([...label.matchAll(TERM)].map(([found]) => keyOf(found)));
    const more = [...words].map((key) => {
      const [title, text] = WORDS.words[key], place = made('p', '');
      place.append(made('strong', '', { textContent: `${title}. ` }), text);
      return place;
    });
    body.replaceChildren(texts, ...more);
    const marked = new Set(), walk = document.createTreeWalker(texts, NodeFilter.SHOW_TEXT), found = [];
    while (walk.nextNode()) if (walk.currentNode.textContent.trim()) found.push(walk.currentNode);
    for (const text of found) {
      const place = made('span', '');
      text.replaceWith(place);
      mark(place, text.textContent, marked);
    }
  });
};

export const draw = (root, { data }, at) => {
  [page, base] = [data.page, at];
  dress();
  if (!root.isConnected || root.firstChild) return;
  root.innerHTML = SHEET;
  sheet = root.firstChild;
  sheet.addEventListener('beforetoggle', ({ newState }) => {
    if (newState === 'closed') closed = { by: opener, at: performance.now() };
  });
  arrive(performance.now() + ARRIVING);
};

// The link was pressed before this script was there, or the address leads to it; the page may be drawn only after that.
const arrive = (until) => {
  if (!location.hash.startsWith(LINK) || !sheet.isConnected || sheet.matches(':popover-open')) return;
  const by = [...document.querySelectorAll(`a[href^="${LINK}"]`)].find(({ hash }) => hash === location.hash);
  if (by) explainWord(by, decodeURIComponent(by.hash.slice(LINK.length)));
  else if (performance.now() < until) setTimeout(arrive, 100, until);
};

const pressed = (event) => {
  const by = event.target.closest?.(`a[href^="${LINK}"], .term[data-word], ${HELP}`);
  if (!by || !sheet?.isConnected) return;
  if (by.matches(HELP)) return explainHelp(by);
  event.preventDefault();
  event.stopPropagation();
  explainWord(by, by.dataset.word ?? decodeURIComponent(by.hash.slice(LINK.length)));
};
mendHistory();
document.addEventListener('click', pressed, { capture: true });
addEventListener('keydown', (event) => {                                 // a link is pressed by Enter alone
  closed.by = undefined;
  if (event.key === 'Escape' && sheet?.matches(':popover-open')) {       // and nothing else that it may lie upon
    event.preventDefault();
    event.stopPropagation();
    sheet.hidePopover();
  }
  if (event.key === ' ' && event.target.matches?.(`a[href^="${LINK}"]`)) pressed(event);
}, { capture: true });
addEventListener('scroll', ({ target }) => {                             // what it stands beside has gone
  if (sheet?.matches(':popover-open') && !sheet.contains(target)) sheet.hidePopover();
}, { capture: true, passive: true });
