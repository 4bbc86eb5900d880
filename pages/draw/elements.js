// What scripts make elements with, and numbers of what travels as text.

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
// Writes a text into an element that has another one; where it has this one nothing is drawn or read out anew.
export const put = (element, text) => { if (element.textContent !== text) element.textContent = text; };
// Has a button open an explanation: a popover of the browser's own, at the end of what the button stands in.
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
// The address of the app, wherever a proxy has put it.
export const BASE = new URL('../../..', import.meta.url).href.slice(0, -1);
// Puts style sheets into the page. A module that awaits them draws nothing before they are there.
export const styled = (...sheets) => Promise.all(sheets.map(({ href }) => new Promise((done) => {
  document.head.append(made('link', '', { rel: 'stylesheet', href, onload: done, onerror: done }));
})));
await styled(new URL('./elements.css', import.meta.url));
// Has the browser save a file; one that is busy asks for it long after the click.
export const saved = (name, file) => {
  const link = made('a', '', { href: URL.createObjectURL(file), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

// Of base64, also of the kind that stands in addresses.
export const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

// Where it matches nothing plays, and everything is stepped.
export const CALM = matchMedia('(prefers-reduced-motion: reduce)');
