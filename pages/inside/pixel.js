// Why a pixel is on: its log-odds as a sum of terms, iteration by iteration. What is drawn is a function of what was
// answered, of the iteration, and of what is chosen: a pixel, and ways to infer it.

import { put, styled } from '../draw/elements.js';
import { themeOf } from '../draw/ink.js';
import { controlsOf, lastOf } from './pixel_controls.js';
import { drawPane, drawSmall } from './pixel_drawing.js';
import { bits, numbersOf, wayOf } from './pixel_numbers.js';
import { iterationWords } from './pixel_sums.js';

await styled(new URL('./pixel.css', import.meta.url));
const SETTLED = 200;                              // ms after which nothing moves

const SHELL = `<div class="asks"><button type="button" class="ask">Show me one</button></div>
<p class="unseen aloud" role="status"></p><p class="lost" hidden></p>
<div class="whole" hidden>
  <div class="ways" role="group" aria-label="Inference"></div>
  <div class="keys" role="group" aria-label="Iterations"><button type="button" class="first">First</button>
    <button type="button" class="back">Back</button><button type="button" class="step">Step</button>
    <button type="button" class="play">Play</button><input type="range" min="1" step="1" aria-label="Iteration"></div>
  <p class="words"></p><div class="panes"></div>
</div>`;

// data : what may be asked for; seen, lost, clean : the damaged digit, which pixels were lost, the digit itself
// at : the iteration, 0 before one is known; pixel : the one that is chosen; way, abreast : how it is inferred
// shown : what was answered last, undefined before anything was
export const begin = (root, { group }) => {
  root.innerHTML = SHELL;
  const $ = (name) => root.querySelector(name);
  const lab = { root, at: 0, pixel: undefined, way: 0, abreast: false, shown: undefined, playing: undefined,
    load: () => load(), draw: () => draw() };
  const numbers = lab.numbers = numbersOf(lab);
  let turn = 0, asked = false, width = 0, speaking;

  // To those who listen, once nothing moves.
  const speak = (words) => {
    clearTimeout(speaking);
    speaking = setTimeout(() => put($('.aloud'), words), lab.data.every + SETTLED);
  };
  const complain = (text) => {
    put($('.lost'), text);
    $('.lost').hidden = !text;
    if (text) speak(text);
  };
  const controls = controlsOf(lab, group), { along, halt } = controls;

  // Ask for all that is to be seen now; what was asked for meanwhile comes next.
  const load = async () => {
    const mine = turn += 1, ways = controls.waysShown();
    try {
      const heads = await Promise.all(ways.map(numbers.head));
      if (mine !== turn) return;
      lab.pixel ??= heads[0].pixel;
      lab.at ||= along.at || heads[0].last;
      const { pixel } = lab, whole = await Promise.all(ways.map((way) => numbers.pixel(way, pixel)));
      if (mine !== turn || !root.isConnected) return;
      asked = false;
      complain('');
      lab.shown = { ways, heads, whole, pixel };
      along.mark(String(pixel));
      draw();
      const fresh = await Promise.all(ways.map((way, k) => numbers.fetchTiles(way, whole[k].units.flat())));
      if (mine === turn && fresh.some(Boolean)) draw();
    } catch (error) {
      if (mine !== turn) return;
      halt();
      // The server no longer has it: a run of the script makes it anew, once.
      if (error.message === '404' && !asked) { asked = true; lab.send('moved', lab.data.why); return; }
      complain('This did not load. Reload the page.');
    }
  };

  const forgetRooms = () => { for (const canvas of root.querySelectorAll('canvas')) canvas.room = 0; };
  const draw = () => {
    if (!lab.shown || !(width ||= $('.whole').clientWidth)) return;
    const { shown } = lab, panes = $('.panes'), last = lastOf(shown), at = Math.min(lab.at, last);
    lab.theme = themeOf(root);
    if (panes.children.length !== shown.ways.length) forgetRooms();
    root.classList.toggle('abreast', shown.ways.length > 1);
    while (panes.children.length > shown.ways.length) panes.lastChild.remove();
    while (panes.children.length < shown.ways.length) panes.append(controls.newPane(panes.children.length));
    shown.ways.forEach((_, k) => drawPane(lab, panes.children[k], k));
    drawSmall(lab);
    controls.drawKeys();
    put($('.words'), iterationWords(at, last, lab.data.ways[shown.ways[0]].kind));
    const texts = root.querySelectorAll('.panes :is(.title, .verdict)');
    speak([...texts].map(({ textContent }) => textContent.replace(/[^.]$/, '$&.')).join(' '));
    Object.assign(root.dataset, { at, last, pixel: shown.pixel });
  };
  const sized = new ResizeObserver(() => {
    const now = $('.whole').clientWidth;
    if (now && now !== width) { width = now; forgetRooms(); draw(); }
  });
  sized.observe(root);

  const set = (next, send) => {
    const before = lab.data;
    Object.assign(lab, { data: next, send });
    if (before?.why === next.why && !asked) {
      if (lab.shown && themeOf(root).ground !== lab.theme.ground) draw();
      return;
    }
    numbers.forget();
    Object.assign(lab, { seen: bits(next.seen), lost: bits(next.lost), clean: next.clean && bits(next.clean) });
    if (before) {
      const { model, kind } = before.ways[lab.way];
      halt();
      $('.panes').replaceChildren();
      Object.assign(lab, { way: Math.max(0, wayOf(next, model, kind)), at: 0, shown: undefined });
    }
    controls.drawWays();
    if (!$('.whole').hidden) load();
  };
  const end = () => {
    halt();
    clearTimeout(speaking);
    sized.disconnect();
    along.leave();
  };
  return { set, end };
};
