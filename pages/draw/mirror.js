// What a teacher does in a picture, done by the same picture on a projector. Outside a class nothing is mirrored.

let report;                                       // of a page that steers: sends the state of a picture by its name
const drawn = new Map();                          // by name, what takes another state
let states = {};

// Send what happens in pictures from here on; undefined ends it.
export const steer = (send) => { report = send; };

// Show the states that another page has sent, by the names of their pictures.
export const take = (sent) => {
  const before = states;
  states = sent;
  for (const [name, state] of Object.entries(sent)) {
    if (JSON.stringify(state) !== JSON.stringify(before[name])) drawn.get(name)?.(state);
  }
};

// Mirror a picture: apply(state) shows what another page has sent.
export const mirrored = (name, apply) => {
  drawn.set(name, apply);
  if (states[name]) apply(states[name]);
  return { publish: (state) => report?.(name, state), end: () => { if (drawn.get(name) === apply) drawn.delete(name); } };
};
