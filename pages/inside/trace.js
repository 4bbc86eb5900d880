// An update as it comes from the server: arrays are made of bytes, and what belongs to one unit is asked for.

import { fetchWithRoom } from '../stream/asking.js';
import { BASE, bytesOf } from '../draw/elements.js';

const TYPES = { u1: Uint8Array, i4: Int32Array, f4: Float32Array, f8: Float64Array };
const arrayOf = ({ shape, type, bytes, most }) => {
  const values = type && new TYPES[type](bytesOf(bytes).buffer);
  return Object.assign(values || [], { dims: shape, most, missing: !type });
};
export const arraysOf = (packed) =>
  Object.fromEntries(Object.entries(packed).map(([name, each]) => [name, arrayOf(each)]));

// A phase with its arrays by their names, and those at which it is looked at, each with its kind.
export const phaseOf = ({ keyframes = [], ...phase }) =>
  ({ ...phase, ...arraysOf(phase.arrays), keyframes: keyframes.map(phaseOf) });

// Which of the keyframes of what flies past is seen when the share f of it is over.
export const flown = (keyframes, f) => keyframes[Math.min(keyframes.length - 1, Math.floor(f * keyframes.length))];

// waits : called with a sentence while the server has no room for the question, which is then asked again
const asked = async (url, waits) => {
  const answer = await fetchWithRoom(url, { cache: 'no-store' }, waits).catch(() => undefined);
  if (!answer) throw new Error('The server does not answer. Reload the page.');
  const ours = answer.headers.get('content-type')?.startsWith('text/plain');             // not a proxy's own page
  if (!answer.ok) throw new Error((ours && await answer.text()) || 'This step did not load. Reload the page.');
  return answer.json();
};

// An update as the server sends it; whole : with all matrices, so that nothing is asked for later
export const headOf = (of, row, waits, whole = '') =>
  asked(`${BASE}/steps/trace?${new URLSearchParams({ of, row, ...(whole && { whole }) })}`, waits);

// failed : called with what goes wrong with what is asked for later; head : of a saved page
export const traceFrom = async (of, row, failed, waits, head = undefined) => {
  const trace = { ...head ?? await headOf(of, row, waits) };
  trace.phases = trace.phases.map(phaseOf);
  trace.models = trace.models.map(arraysOf);
  trace.units = new Map();
  // What belongs to one unit: there at once, or undefined until it has come.
  trace.unit = (axis, index, then) => {
    const key = `${axis}${index}`;
    if (!trace.units.has(key)) {
      trace.units.set(key, undefined);
      const query = new URLSearchParams({ of, row: trace.row, mark: trace.mark, axis, index });
      asked(`${BASE}/steps/unit?${query}`).then((found) => {
        trace.units.set(key, { phases: found.phases.map(arraysOf), models: found.models.map(arraysOf) });
        then();
      }, failed);
    }
    return trace.units.get(key);
  };
  return trace;
};

// A row or a column of a matrix that is there, or of one of which what belongs to the unit was asked for.
// where : 'phases' or 'models', i : its number, axis : along which the unit lies, number : of that axis
export const taken = (trace, where, i, name, axis, along, index, then) => {
  const whole = trace[where][i]?.[name];
  if (!whole) return undefined;
  if (whole.missing) return trace.unit(axis, index, then)?.[where][i]?.[name];
  const [rows, columns] = whole.dims;
  return along === 0 ? whole.subarray(index * columns, (index + 1) * columns)
    : Float64Array.from({ length: rows }, (_, k) => whole[k * columns + index]);
};
