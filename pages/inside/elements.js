// What scripts of the mechanism make elements with, and numbers of what travels as text.

const made = (tag, className, settings = {}, ...inside) => {
  const element = Object.assign(document.createElement(tag), { className }, settings);
  element.append(...inside);
  return element;
};
// Of base64, also of the kind that stands in addresses.
const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
