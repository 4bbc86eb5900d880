// A film: frames made beforehand or on request, played and stepped through without the script. Films of one group show
// the same frame: if one is stepped, the others follow.

import { lost, sayStanding } from '../draw/aloud.js';
import { fetchWithRoom } from './asking.js';
import { BASE, CALM } from '../draw/elements.js';
import { HTML, drawPanels, drawStanding, followTheme, leavePanels } from '../draw/frame.js';
import { mirrorPicture } from '../draw/mirror.js';
import { frameTile } from '../draw/picture.js';

const FILMS = new Set();

const withPicked = (frame, { data }) => {          // the framed part of a picture may change within a frame
  for (const { pictures } of Object.values(frame.panels)) for (const { pick } of pictures ?? []) {
    if (pick) pick.value = data.picked;
  }
  return frame;
};
const markPicked = ({ root, data }) => {
  for (const figure of root.querySelectorAll('figure.picks')) {
    figure.pick.value = data.picked;
    frameTile(figure.querySelector('.sheet'), figure.pick);
  }
};

export const begin = (root) => {
  root.innerHTML = HTML;
  const film = { root, at: 0, frames: new Map() };
  const line = root.querySelector('.film'), slider = line.querySelector('input');
  const [first, back, step, play] = line.querySelectorAll('button');
  const load = (at) => {
    const { frames } = film.data;                                        // of a saved page
    if (frames) return Promise.resolve(frames[at - 1]);
    if (!film.frames.has(at)) film.frames.set(at, fetchWithRoom(`${BASE}/film/${film.data.film}/${at}`)
      .then((answer) => {
        if (!answer.ok || !answer.headers.get('content-type').includes('json')) throw new Error(answer.status);
        return answer.json();
      }).catch((error) => { film.frames.delete(at); throw error; }));
    return film.frames.get(at);
  };
  const controls = () => {
    const { last, controls: name } = film.data, [low, high] = [film.at === 1, film.at === last];
    Object.assign(slider, { min: 1, max: last, value: film.at, disabled: last === 1 });
    slider.setAttribute('aria-valuetext', `${name || 'Picture'} ${film.at} of ${last}`);
    play.hidden = CALM.matches;
    play.textContent = film.plays ? 'Pause' : 'Play';
    const focused = line.querySelector('button:focus');
    first.disabled = low && !film.plays; back.disabled = low || film.plays;
    step.disabled = high || film.plays; play.disabled = last === 1;
    if (focused?.disabled) slider.focus();
  };
  const announce = () => { film.shown = { frame: { summary: film.summary } }; sayStanding(film); };
  const show = async (at, leads = true) => {
    film.at = at;
    controls();
    film.mirror?.publish(at);
    if (leads && film.data.group) for (const other of FILMS) {
      if (other !== film && other.data.group === film.data.group) other.follow(at);
    }
    const of = film.data.film;
    let frame;
    try { frame = await load(at); lost(film, ''); film.asked = false; } catch (error) {
      if (film.data.film !== of) return;                                   // another film has taken its place meanwhile
      halt();
      controls();
      // The server no longer has it: a run of the script makes it again, once.
      if (error.message === '404' && !film.asked) { film.asked = true; return film.send('moved', film.data.film); }
      return lost(film, 'This picture did not load. Reload the page.');
    }
    if (film.data.film !== of || film.at !== at || !root.isConnected) return;
    drawStanding(root, frame, frame.panels, film);
    drawPanels(root, withPicked(frame, film), frame.panels, film);
    Object.assign(root.dataset, { at, last: film.data.last });
    film.summary = frame.summary || slider.getAttribute('aria-valuetext');
    if (leads && !film.plays) announce();
    if (at < film.data.last) load(at + 1).catch(() => {});
  };
  const next = async (turn) => {
    const began = performance.now();
    await show(film.at + 1);
    if (film.turn !== turn) return;                                      // another showing has begun, or none
    if (film.at >= film.data.last) { film.plays = false; controls(); return announce(); }
    film.later = setTimeout(() => next(turn), Math.max(0, film.data.every - (performance.now() - began)));
  };
  const halt = () => { film.plays = false; film.turn = (film.turn ?? 0) + 1; clearTimeout(film.later); };
  const rest = (at, leads) => { halt(); show(at, leads); };
  film.follow = (at) => rest(Math.min(at, film.data.last), false);
  const start = (from) => { halt(); film.plays = true; film.at = from; next(film.turn); };
  first.onclick = () => rest(1);
  back.onclick = () => rest(Math.max(1, film.at - 1));
  step.onclick = () => rest(Math.min(film.data.last, film.at + 1));
  slider.oninput = () => rest(Number(slider.value));
  play.onclick = () => film.plays ? rest(film.at) : start(film.at >= film.data.last ? 0 : film.at);
  film.choose = (name, value) => film.send('picked', [name, value]);
  film.saved = async () => {
    const places = Array.from({ length: film.data.last }, (_, i) => i + 1), frames = [];
    for (const at of places) frames.push(await load(at));
    return { data: { ...film.data, film: '', frames, plays: false, at: film.at } };
  };
  film.end = () => { halt(); FILMS.delete(film); leavePanels(root); film.mirror?.end(); };
  film.set = (data, send) => {
    const before = film.data;
    Object.assign(film, { data, send });
    FILMS.add(film);
    line.hidden = !data.controls && !(data.plays && CALM.matches);
    slider.setAttribute('aria-label', data.controls || 'Picture');
    followTheme(root);
    film.mirror ??= mirrorPicture('film', (at) => { if (at >= 1) rest(Math.min(Math.trunc(at), film.data.last)); });
    if (before?.film === data.film && !film.asked) return markPicked(film);
    film.frames.clear();
    if (data.plays && !CALM.matches) start(0); else rest((!before && film.at) || (data.at ?? data.last), false);
  };
  return film;
};
