// An update from the server: decodes arrays, and requests the values of single units.

import { fetchWithRoom } from '../stream/asking.js';
import { BASE, bytesOf } from '../draw/elements.js';

const TYPES = { u1: Uint8Array, i4: Int32Array, f4: Float32Array, f8: Float64Array };
const arrayOf = ({ shape, type, bytes, most }) => {
  const values = type && new TYPES[type](bytesOf(bytes).buffer);
  return Object.assign(values || [], { dims: shape, most, missing: !type });
};
export const arraysOf = (packed) =>
  Object.fromEntries(Object.entries(packed).map(([name, each]) => [name, arrayOf(each)]));

// Decode the arrays of a phase and of its keyframes.
export const phaseOf = ({ keyframes = [], ...phase }) =>
  ({ ...phase, ...arraysOf(phase.arrays), keyframes: keyframes.map(phaseOf) });

// Keyframe of a folded phase at its share f.
export const keyframeAt = (keyframes, f) => keyframes[Math.min(keyframes.length - 1, Math.floor(f * keyframes.length))];

// waits : called with a sentence while the server is busy; the request is then repeated
const asked = async (url, waits) => {
  const answer = await fetchWithRoom(url, { cache: 'no-store' }, waits).catch(() => undefined);
  if (!answer) throw new Error('The server does not answer. Reload the page.');
  const ours = answer.headers.get('content-type')?.startsWith('text/plain');             // not a proxy's own page
  if (!answer.ok) throw new Error((ours && await answer.text()) || 'This step did not load. Reload the page.');
  return answer.json();
};

// Request an update; whole : with all matrices, so that nothing is requested later
export const headOf = (of, row, waits, whole = '') =>
  asked(`${BASE}/steps/trace?${new URLSearchParams({ of, row, ...(whole && { whole }) })}`, waits);

// failed : called with the error of a later request; head : of a saved page
export const traceFrom = async (of, row, failed, waits, head = undefined) => {
  const trace = { ...head ?? await headOf(of, row, waits) };
  trace.phases = trace.phases.map(phaseOf);
  trace.models = trace.models.map(arraysOf);
  trace.units = new Map();
  // Values of one unit: at once if they are here, else undefined until they have come.
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

// A row or a column of a matrix, from the whole matrix or from the values requested for the unit.
// where : 'phases' or 'models', i : its number, axis : along which the unit lies, along : number of that axis
export const sliceOf = (trace, where, i, name, axis, along, index, then) => {
  const whole = trace[where][i]?.[name];
  if (!whole) return undefined;
  if (whole.missing) return trace.unit(axis, index, then)?.[where][i]?.[name];
  const [rows, columns] = whole.dims;
  return along === 0 ? whole.subarray(index * columns, (index + 1) * columns)
    : Float64Array.from({ length: rows }, (_, k) => whole[k * columns + index]);
};
