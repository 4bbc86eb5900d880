// A watched run: a stream of changes, single frames if that fails, and a message if both do.

import { lost } from '../draw/aloud.js';
import { BASE } from '../draw/elements.js';
import { HTML, drawPanels, drawStanding, drawWaits, followTheme, leavePanels } from '../draw/frame.js';
import { mirrorPicture } from '../draw/mirror.js';
import {
  drawBack, holdBack, keepFrame, lookBack, newBack, packRun, seen, toNow, unpackRun,
} from './back.js';

const CLICKED = 250, RESTS = 2_000, SILENT = 10_000, HIDDEN = 30_000, AGAIN = 60_000, LONGEST = 8_000,
  SOON = 100;   // ms

const CHOSEN = {};                                // choices by model, if nothing can be stored
const stored = (live) => `lab choices ${live.data.model}`;
const chosen = (live) => {
  try { return JSON.parse(sessionStorage.getItem(stored(live)) ?? '{}'); } catch { return CHOSEN[stored(live)] ?? {}; }
};
const choose = (live, choices) => {
  CHOSEN[stored(live)] = choices;
  try { sessionStorage.setItem(stored(live), JSON.stringify(choices)); } catch { /* it lasts as long as the page */ }
};
const staleText = (live) => `This is how it stood at ${new Date(live.seen).toLocaleTimeString()}; trying again.`;

const rootOf = (live) => `${BASE}/${live.data.route ?? 'live'}`;
const address = (live, what, have) => {
  const given = ['pin', 'open', 'hidden', 'against'].filter((name) => live.data[name]);
  const query = new URLSearchParams({ have, ...Object.fromEntries(given.map((name) => [name, live.data[name]])) });
  for (const [name, value] of Object.entries(chosen(live))) query.set(`choose.${name}`, value);
  return `${rootOf(live)}/${live.data.run}/${what}?${query}`;
};

const heard = (live) => {
  live.heard = performance.now(); live.seen = Date.now(); live.failures = 0;
  lost(live, '');
};

// The parts of a frame that the page shows: some or all of the panels next to and below the curve.
const chosenOf = (live) => {
  const { frame, parts } = seen(live), { shows } = live.data;
  if (!shows) return { frame, parts };
  const kept = (numbers) => numbers.filter((n) => shows.includes(parts[n].key));
  const below = frame.below.map(kept).filter((row) => row.length);
  return { frame: { ...frame, beside: kept(frame.beside), below }, parts };
};

// Draw the newest frame, whatever came between; or an earlier one.
const drawNewest = (live) => {
  const { frame, parts } = chosenOf(live);
  drawStanding(live.root, frame, parts, live);
  if (live.drawing) return;
  live.drawing = true;
  requestAnimationFrame(() => {
    live.drawing = false;
    if (!live.root.isConnected || live.ended) return;
    const { frame, parts } = chosenOf(live);
    drawPanels(live.root, frame, parts, live);
  });
};

const takeFrame = (live, frame) => {
  heard(live);
  const wanted = [frame.abouts, frame.curve, ...frame.beside, ...frame.below.flat()].filter((n) => n != null);
  const parts = Object.fromEntries(wanted.map((n) => [n, frame.panels[n] ?? live.shown?.parts[n]]));
  if (Object.values(parts).includes(undefined)) return watch(live);      // then request a whole one
  const before = live.shown?.frame;
  live.shown = { frame, parts }; live.have = frame.version;
  live.waits = { ...frame.waits, at: performance.now() };
  drawWaits(live);
  // Play or Step ends looking back; an update that was under way at Pause, and ends after it, does not.
  if (live.data.mine && before && before.resumed !== frame.resumed) toNow(live);
  keepFrame(live);
  drawBack(live);
  drawNewest(live);
  reportOutdated(live);
};

const reportOutdated = (live) => {                                               // ask for a run if the page is outdated
  const out = () => ![live.data.around, live.reported].includes(live.shown.frame.around);
  if (!live.data.mine || live.reporting || !out()) return;
  // A click's own run of the script draws it a moment later.
  live.reporting = setTimeout(() => {
    live.reporting = undefined;
    if (!out()) return;
    live.reported = live.shown.frame.around;
    live.send('moved', live.shown.frame.version);
  }, CLICKED);
};

const closeStream = (live) => {
  live.source?.close(); live.source = undefined;
  live.asking?.abort(); live.asking = undefined;
  clearTimeout(live.later);
};

const endStream = (live, text) => { closeStream(live); live.over = true; lost(live, text); };

const watch = (live) => {                                                // from a whole frame on
  closeStream(live);
  Object.assign(live, { have: '', over: false, failures: 0, heard: performance.now() });
  if (!document.hidden) stream(live);
};

const stream = (live) => {
  closeStream(live);
  live.heard = performance.now();
  const source = live.source = new EventSource(address(live, 'stream', live.have));
  const on = (name, act) => source.addEventListener(name, (event) => {
    if (live.source !== source) return;
    live.unstreamed = 0;
    act(event.data);
  });
  on('frame', (data) => takeFrame(live, JSON.parse(data)));
  on('still', () => heard(live));
  on('failed', (data) => { heard(live); lost(live, JSON.parse(data)); });
  on('gone', (data) => endStream(live, JSON.parse(data)));
  source.onerror = () => { if (live.source === source) failed(live, 'The connection is lost.'); };
};

const failed = (live, why) => {
  closeStream(live);
  live.unstreamed = (live.unstreamed ?? 0) + 1;
  const pause = Math.min(LONGEST, 300 * 2 ** live.failures++) * (.75 + .5 * Math.random());
  if (live.failures > 1 || performance.now() - live.heard > SILENT) lost(live, `${why} ${staleText(live)}`);
  live.later = setTimeout(() => ask(live), pause);
};

const ask = async (live) => {                                            // one frame, then a stream, or another frame
  const asking = live.asking = new AbortController();
  setTimeout(() => asking.abort(), SILENT);
  try {
    const answer = await fetch(address(live, 'newest', live.have), { cache: 'no-store', signal: asking.signal });
    if (live.asking !== asking) return;
    if (answer.status === 404 && !answer.headers.get('content-type')?.includes('html')) {
      return endStream(live, await answer.text());
    }
    if (answer.status === 400 && Object.keys(chosen(live)).length) {     // then repeat without choices
      choose(live, {});
      return watch(live);
    }
    if (answer.status === 429) return failed(live, await answer.text());
    if (answer.status !== 204) {
      // Streamlit answers unknown addresses with its own page
      if (!answer.ok || !answer.headers.get('content-type').includes('json')) throw new Error(answer.status);
      const frame = await answer.json();
      if (live.asking !== asking) return;
      takeFrame(live, frame);
      live.rests = SOON;
    } else { heard(live); live.rests = Math.min(1_000, 1.25 * live.rests); }
  } catch {
    if (live.asking === asking) failed(live, 'The connection is lost.');
    return;
  }
  live.polled ??= performance.now();
  const again = live.unstreamed < 3 || performance.now() - live.polled > AGAIN;
  live.later = setTimeout(() => {
    if (again) { live.polled = undefined; stream(live); } else ask(live);
  }, again ? 0 : live.rests);
};

const alive = (live) => fetch(`${rootOf(live)}/${live.data.run}/alive`, { cache: 'no-store' }).catch(() => {});

export const begin = (root) => {
  root.innerHTML = HTML;
  const live = { root, back: newBack(), have: '', failures: 0, rests: SOON };
  Object.assign(live, { seen: Date.now(), heard: performance.now() });
  live.choose = (name, value) => {
    choose(live, { ...chosen(live), [name]: value });
    watch(live);
    live.publish();
  };
  live.draw = () => drawNewest(live);
  live.publish = () => live.mirror?.publish({ choices: chosen(live), at: live.back.at });
  holdBack(live);
  const shown = () => {
    clearTimeout(live.resting);
    if (!document.hidden) { if (!live.source && !live.over) stream(live); }
    else live.resting = setTimeout(() => closeStream(live), RESTS);            // a host has only six connections
  };
  document.addEventListener('visibilitychange', shown);
  const alarm = setInterval(() => {
    drawWaits(live);
    followTheme(root);
    if (live.source && performance.now() - live.heard > SILENT) failed(live, 'No answer for 10 seconds.');
  }, 1_000);
  // a page that was drawn before its run began has no heartbeat yet
  const beating = setInterval(() => { if (document.hidden && !live.over) alive(live); }, HIDDEN);
  live.saved = (few) => {
    if (!live.shown) throw new Error('Nothing is drawn yet.');
    return { data: { ...live.data, open: '', packed: packRun(live, few) } };
  };
  live.end = () => {
    live.ended = true;
    closeStream(live);
    clearInterval(alarm); clearInterval(beating); clearTimeout(live.resting); clearTimeout(live.reporting);
    clearTimeout(live.saying);
    document.removeEventListener('visibilitychange', shown);
    leavePanels(root);
    live.mirror?.end();
  };
  live.set = (data, send) => {
    const before = live.data;
    Object.assign(live, { data, send });
    live.mirror ??= mirrorPicture('live', ({ choices, at }) => {
      if (JSON.stringify(choices) !== JSON.stringify(chosen(live))) { choose(live, choices); watch(live); }
      lookBack(live, at);
    });
    live.reported = undefined;
    root.dataset.route = data.route ?? '';
    if (data.packed) { live.over = true; return unpackRun(live, data.packed); }
    if (before?.run !== data.run) live.back = newBack();
    if (!before || ['run', 'pin', 'open', 'hidden', 'against'].some((name) => before[name] !== data[name])) watch(live);
    else if (live.shown) {
      if (before.mine !== data.mine) drawNewest(live);
      reportOutdated(live);                                                      // it may be outdated while at rest
    }
  };
  return live;
};
