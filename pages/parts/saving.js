// The page as one file that needs no server: its texts as they are, and the drawings of its modules, drawn by the same
// modules. A module takes part if its `begin` returns `saved(few)`: { data, also }, the data from which its `set` draws
// the same without a server, with one in `few` of its frames, and the addresses of modules that it imports by name. The
// file contains no keys to the server: no name of a film, no token of a table.
// The content is compressed in base64: no text of a table or a link is part of the file's HTML.

import { made, put, saved } from '../draw/elements.js';

const SCRIPTS = new URL('..', import.meta.url).href;
const MOST = 6e6;                                 // bytes of a file
const IMPORTED = /((?:from |import |import\())(['`])(\.[^'`]+)\2/g, STYLES = /URL\('(\.[^']+\.css)'/g;
const TEXTS = ['h1', 'h2', 'h3', 'p', 'ul', 'ol', 'li', 'strong', 'b', 'em', 'code', 'sub', 'sup', 'table', 'thead', 'tbody',
  'tr', 'th', 'td', 'br'];
const ASKED = '[data-testid="stSelectbox"], [data-testid="stNumberInput"], [data-testid="stSlider"], [data-testid="stTextInput"]';
const LEFT_OUT = 'script, style, svg, button, input, details:not([open]), .st-key-unsaved, .st-key-diagnosis, '
  + 'a:not([href^="reference"]), [data-testid="stPageLink"], [data-testid="stButtonGroup"], .st-key-message-acts';
const POLICY = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data: blob:";
const BASE_STYLE = `*, ::before, ::after { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 80rem; color: var(--st-text-color);
  background: var(--st-background-color); font: 1rem/1.5 var(--st-font), sans-serif; }
.texts { max-width: 75ch; } .texts p { margin: .5rem 0; }
.texts :is(th, td) { text-align: left; vertical-align: top; padding: .1rem .75rem .1rem 0; }
.texts h2 + table th { min-width: 9rem; } .texts h2 + table :is(th, td) { overflow-wrap: anywhere; }
.part { margin: 1rem 0; } .part :is(ul, dl, p) { margin-block-start: 0; }
@media print {
  :root { color-scheme: light; --st-text-color: #1B1F24; --st-background-color: #FFFFFF; --st-border-color: #C8CCD0;
    --st-secondary-background-color: #F0F2F4; }
  body { max-width: none; } .lab-plot text { fill: #1B1F24 !important; }
  .film, .back, .keys, .corner, button:not(.term, th button) { display: none !important; }
  :is(.panel, .lab-lines, figure, tr) { break-inside: avoid; }
  main .part .scrolled { overflow: visible; max-height: none; } main .part .lab-table { font-size: .7rem; }
  main .part .lab-table :is(th, td) { white-space: normal; padding-right: .4rem; min-width: 0 !important;
    overflow-wrap: break-word !important; }
}`;

// Texts of a page: tags of `TEXTS` as [tag, ...content], texts, and the numbers of parts.
const textsOf = (node, parts) => {
  if (node.nodeType === Node.TEXT_NODE) return node.data.trim() ? [node.data] : [];
  if (node.nodeType !== Node.ELEMENT_NODE || node.matches(LEFT_OUT)) return [];
  if (getComputedStyle(node).display === 'none' && !node.querySelector('.st-key-message-words')) return [];
  if (parts.includes(node)) return [parts.indexOf(node)];
  if (node.dataset.module) return [];
  if (node.matches(ASKED)) return answerOf(node);
  const inside = [...node.childNodes].flatMap((each) => textsOf(each, parts)), tag = node.localName;
  if (node.matches('[data-testid="stRadio"] label:has(input)')) {
    return [['p', node.querySelector('input').checked ? '● ' : '○ ', ...inside.flatMap((each) => each[0] === 'p' ? each.slice(1) : each)]];
  }
  return TEXTS.includes(tag) ? [[tag, ...inside]] : inside;
};
const answerOf = (widget) => {
  const name = widget.querySelector('label')?.innerText.trim(), input = widget.querySelector('input, [role="slider"]');
  const value = input?.value || input?.getAttribute('aria-valuetext') || widget.innerText.replace(name, '').trim();
  return name && value ? [['p', value.startsWith(name) ? value : `${name}: ${value}`]] : [];
};

// {name: text} of modules and all that they import, by names of an import map, and their style sheets.
const sourcesOf = async (entries) => {
  const modules = {}, styles = new Set(), nameOf = (href) => `lab/${decodeURI(href).slice(SCRIPTS.length)}`;
  const take = async (href) => {
    if (nameOf(href) in modules) return;
    modules[nameOf(href)] = '';
    const text = await (await fetch(href)).text(), at = (path) => new URL(path, href).href;
    for (const [, path] of text.matchAll(STYLES)) styles.add(at(path));
    modules[nameOf(href)] = text.replace(/^await styled\(.*\);$/m, '')
      .replace(IMPORTED, (_, how, quote, path) => `${how}${quote}${nameOf(at(path))}${quote}`)
      .replaceAll('import.meta.url', JSON.stringify(`file:///lab/${nameOf(href)}`));
    const needed = [...text.matchAll(IMPORTED)].map(([,,, path]) => path).filter((path) => !path.includes('${'));
    await Promise.all(needed.map((path) => take(at(path))));
  };
  await Promise.all(entries.map(take));
  const css = await Promise.all([...styles].map(async (href) => (await fetch(href)).text()));
  return { modules, css: css.join('\n') };
};

// Script of the opened file. It becomes text of the file, so it uses nothing of this module.
const open = async () => {
  const packed = document.getElementById('content').textContent;
  const stream = new Blob([Uint8Array.from(atob(packed), (c) => c.charCodeAt(0))]).stream();
  const text = await new Response(stream.pipeThrough(new DecompressionStream('gzip'))).text();
  const { title, texts, parts, modules, css, plotly } = JSON.parse(text);
  const add = (tag, given) => document.head.append(Object.assign(document.createElement(tag), given));
  document.title = title;
  add('style', { textContent: css });
  if (plotly) add('script', { textContent: plotly });
  const encoded = (source) => `data:text/javascript;charset=utf-8,${encodeURIComponent(source)}`;
  const imports = Object.fromEntries(Object.entries(modules).map(([name, source]) => [name, encoded(source)]));
  add('script', { type: 'importmap', textContent: JSON.stringify({ imports }) });
  const main = document.querySelector('main'), roots = [];
  const made = (each) => {
    if (typeof each === 'string') return each;
    const element = document.createElement(typeof each === 'number' ? 'div' : each[0]);
    if (typeof each !== 'number') { element.append(...each.slice(1).map(made)); return element; }
    element.className = `part ${parts[each].style}`;
    roots[each] = element;
    return element;
  };
  main.replaceChildren();
  for (const each of texts) {
    if (typeof each !== 'number' && main.lastElementChild?.className !== 'texts') {
      main.append(Object.assign(document.createElement('div'), { className: 'texts' }));
    }
    (typeof each === 'number' ? main : main.lastElementChild).append(made(each));
  }
  for (const [i, { module, data }] of parts.entries()) {
    const { begin } = await import(module);
    begin(roots[i], data).set(data, () => {}, () => {});
  }
};

const inBase64 = (blob) => new Promise((done) => {
  const reader = new FileReader();
  reader.onload = () => done(reader.result.slice(reader.result.indexOf(',') + 1));
  reader.readAsDataURL(blob);
});
const fileOf = async (content) => {
  const stream = new Blob([JSON.stringify(content)]).stream().pipeThrough(new CompressionStream('gzip'));
  const packed = await inBase64(await new Response(stream).blob());
  return new Blob([`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>Boltzmann Lab</title></head>
<body><main><p>This page needs scripts and a browser of 2023 or later.</p></main>
<script type="application/octet-stream" id="content">${packed}</script><script>(${open})();</script></body></html>`],
  { type: 'text/html' });
};

const pageAsFile = async (settings) => {
  const main = document.querySelector('[data-testid="stMain"]'), title = main.querySelector('h1')?.innerText ?? document.title;
  const roots = [...main.querySelectorAll('[data-module]')].filter((root) => root.begun?.saved);
  const texts = textsOf(main, roots).map((each) => typeof each === 'string' ? ['p', each] : each)
    .sort((one, other) => (other[0] === 'h1') - (one[0] === 'h1'));
  const drawn = roots.filter((root) => texts.includes(roots.indexOf(root)));
  const rows = settings.map(([name, text]) => ['tr', ['th', name], ['td', text]]);
  if (rows.length) texts.push(['h2', 'Settings'], ['table', ['tbody', ...rows]]);
  const theme = getComputedStyle(drawn[0] ?? main);
  let file;
  for (let few = 1; few <= 64; few *= 2) {
    const parts = await Promise.all(roots.map((root) => drawn.includes(root) ? root.begun.saved(few) : {}));
    const also = parts.flatMap((part) => part.also ?? []);
    const { modules, css } = await sourcesOf([...drawn.map((root) => location.origin + root.dataset.module), ...also]);
    const names = new Set(`${css}${Object.values(modules).join('')}${BASE_STYLE}`.match(/--st-[a-z-]+/g));
    const values = [...names].map((name) => `${name}: ${theme.getPropertyValue(name)};`).join(' ');
    const plotly = drawn.some((root) => root.querySelector('.lab-plot'))
      && await (await fetch(new URL('plotly.min.js', SCRIPTS))).text();
    const content = { title, texts, modules, plotly, parts: roots.map(({ className, dataset }, i) => ({ style: className,
      module: `lab/${(location.origin + dataset.module).slice(SCRIPTS.length)}`, data: parts[i].data })),
    css: `:root { color-scheme: ${theme.colorScheme}; ${values} }\n${BASE_STYLE}\n${css}` };
    file = await fileOf(content);
    if (file.size <= MOST) return file;
  }
  throw new Error(`The page takes ${(file.size / 1e6).toFixed(1)} MB, and a file at most ${MOST / 1e6} MB. `
    + 'Close what you do not need, and try again.');
};

export const begin = (root) => {
  const button = made('button', '', { type: 'button', textContent: 'Download as a page' });
  const words = made('p', '', { role: 'status' });
  root.replaceChildren(button, words);
  const set = ({ file, settings }) => {
    button.onclick = async () => {
      put(words, 'Preparing the file …');
      try {
        saved(file, await pageAsFile(settings));
        put(words, '');
      } catch (error) { put(words, error.message); }
    };
  };
  return { set };
};
