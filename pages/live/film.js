// A film: frames made beforehand or when they are asked for, played and stepped through without the script.

const playFilm = (root, base) => {
  const film = { root, base, parts: {}, at: 0, frames: new Map() };
  const line = root.querySelector('.film'), slider = line.querySelector('input');
  const [first, back, step, play] = line.querySelectorAll('button');
  const load = (at) => {
    if (!film.frames.has(at)) film.frames.set(at, fetch(`${film.base}/film/${film.data.film}/${at}`)
      .then((answer) => {
        if (!answer.ok || !answer.headers.get('content-type').includes('json')) throw new Error(answer.status);
        return answer.json();
      }));
    return film.frames.get(at);
  };
  const controls = () => {
    const { last } = film.data, [low, high] = [film.at === 1, film.at === last];
    Object.assign(slider, { min: 1, max: last, value: film.at, disabled: last === 1 });
    slider.setAttribute('aria-valuetext', `${film.data.controls} ${film.at} of ${last}`);
    first.disabled = low && !film.plays; back.disabled = low || film.plays;
    step.disabled = high || film.plays; play.disabled = last === 1;
    play.textContent = film.plays ? 'Pause' : 'Play';
  };
  const show = async (at) => {
    film.at = at;
    controls();
    let frame;
    try { frame = await load(at); lost(film, ''); } catch {
      film.frames.delete(at);
      film.plays = false;
      controls();
      return lost(film, 'This picture did not come. Reload the page.');
    }
    if (film.at !== at || !root.isConnected) return;
    film.parts = frame.panels;
    drawStanding(root, frame, frame.panels, film);
    drawPanels(root, frame, frame.panels, film);
    Object.assign(root.dataset, { at, last: film.data.last });
    if (at < film.data.last) load(at + 1).catch(() => film.frames.delete(at + 1));
  };
  const next = async () => {
    const began = performance.now(), { film: name, every, last } = film.data;
    if (!film.plays) return;
    await show(film.at + 1);
    if (film.at >= last || film.data.film !== name) film.plays = false;
    controls();
    film.later = setTimeout(next, Math.max(0, every - (performance.now() - began)));
  };
  const rest = (at) => { film.plays = false; clearTimeout(film.later); show(at); };
  const start = (from) => {
    clearTimeout(film.later);
    film.plays = true; film.at = from;
    next();
  };
  first.onclick = () => rest(1);
  back.onclick = () => rest(Math.max(1, film.at - 1));
  step.onclick = () => rest(Math.min(film.data.last, film.at + 1));
  slider.oninput = () => rest(Number(slider.value));
  play.onclick = () => film.plays ? rest(film.at) : start(film.at >= film.data.last ? 0 : film.at);
  const minded = setInterval(() => { if (!root.isConnected) film.end(); }, 1_000);
  film.choose = () => {};
  film.end = () => { clearInterval(minded); clearTimeout(film.later); leavePanels(root); KEPT.delete(root); };
  film.set = (data) => {
    const before = film.data;
    film.data = data;
    line.hidden = !data.controls;
    slider.setAttribute('aria-label', data.controls);
    if (before?.film === data.film) return;
    film.frames.clear();
    if (data.plays && !matchMedia('(prefers-reduced-motion: reduce)').matches) start(0); else rest(data.last);
  };
  return film;
};
