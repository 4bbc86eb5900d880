// Helpers that make elements and decode numbers that travel as text.

export const made = (tag, className, settings = {}, ...inside) => {
  const element = Object.assign(document.createElement(tag), { className }, settings);
  element.append(...inside);
  return element;
};
export const svg = (tag, settings = {}, ...inside) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(settings)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
};
// Write a text into an element; an equal text draws and announces nothing anew.
export const put = (element, text) => { if (element.textContent !== text) element.textContent = text; };
// Have a button open an explanation: a native popover, at the end of the button's parent.
export const explainBy = (button, title, text) => {
  if (!button.popoverTargetElement) {
    const sheet = made('span', 'explanation', { popover: 'auto' }, made('strong', ''), made('span', ''));
    button.parentElement.append(sheet);
    button.popoverTargetElement = sheet;
  }
  const [head, body] = button.popoverTargetElement.children;
  put(head, title);
  put(body, text);
};
// Address of the app, behind any proxy.
export const BASE = new URL('../../..', import.meta.url).href.slice(0, -1);
// Add style sheets to the page. A module that awaits them draws nothing before they have loaded.
export const styled = (...sheets) => Promise.all(sheets.map(({ href }) => new Promise((done) => {
  document.head.append(made('link', '', { rel: 'stylesheet', href, onload: done, onerror: done }));
})));
await styled(new URL('./elements.css', import.meta.url));
// Have the browser save a file; a busy browser may fetch it long after the click.
export const saved = (name, file) => {
  const link = made('a', '', { href: URL.createObjectURL(file), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
// CSV as a file for spreadsheets, which misread letters beyond ASCII without a byte order mark.
export const csvFile = (text) => new Blob([/\P{ASCII}/u.test(text) ? '\ufeff' : '', text], { type: 'text/csv' });

// Decode base64, including its URL-safe form.
export const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

// If it matches, nothing plays and everything is stepped.
export const CALM = matchMedia('(prefers-reduced-motion: reduce)');
