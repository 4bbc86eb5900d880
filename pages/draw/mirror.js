// Mirrors a teacher's actions in a picture in the same picture on a projector. Nothing is mirrored outside a class.

let report;                                       // on a page that steers: sends the state of a picture by its name
const drawn = new Map();                          // by name, the function that applies a state
let states = {};

// Send actions in pictures from here on; undefined ends it.
export const setReporter = (send) => { report = send; };

// Show the states of pictures that another page has sent, by their names.
export const take = (sent) => {
  const before = states;
  states = sent;
  for (const [name, state] of Object.entries(sent)) {
    if (JSON.stringify(state) !== JSON.stringify(before[name])) drawn.get(name)?.(state);
  }
};

// Mirror a picture: apply(state) shows a state from another page.
export const mirrorPicture = (name, apply) => {
  drawn.set(name, apply);
  if (states[name]) apply(states[name]);
  return { publish: (state) => report?.(name, state), end: () => { if (drawn.get(name) === apply) drawn.delete(name); } };
};
