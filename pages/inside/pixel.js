// Why a pixel is on: its log-odds as a sum of terms, iteration by iteration. What is drawn is a function of what was
// answered, of the iteration, and of what is chosen: a pixel, ways to infer it, and a hidden unit that is opened.

const KEPT = new WeakMap();                       // what one component keeps from call to call
const ANSWERS = 400, TILES = 48;                  // answers that are kept; tiles that are asked for at once
const CALM = matchMedia('(prefers-reduced-motion: reduce)'), NARROW = matchMedia('(max-width: 760px)');
const SETTLED = 200;                              // ms after which nothing moves
const MOST = 6;                                   // pixels that a hidden unit hears, one by one
const HEARS = 'What it hears';
const CURVE = { height: 100, gap: 14 };
const ARROWS = { ArrowUp: [0, -1, '▲', 'up'], ArrowLeft: [-1, 0, '◀', 'left'], ArrowRight: [1, 0, '▶', 'right'],
  ArrowDown: [0, 1, '▼', 'down'] };

const passes = (kind) => kind !== 'mean field';

const made = (tag, className, settings = {}, ...inside) => {
  const element = Object.assign(document.createElement(tag), { className }, settings);
  element.append(...inside);
  return element;
};
const figure = (canvas, title) => made('figure', '', {}, Object.assign(canvas, { role: 'img', ariaLabel: title }),
  made('figcaption', '', { textContent: title }));
const put = (element, text) => { if (element.textContent !== text) element.textContent = text; };
const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
const floats = (text) => new Float32Array(bytes(text).buffer);
const bits = (text) => {
  const packed = bytes(text);
  return Uint8Array.from({ length: COLUMNS * COLUMNS }, (_, i) => packed[i >> 3] >> (7 - (i & 7)) & 1);
};
const place = (i) => `row ${Math.floor(i / COLUMNS) + 1}, column ${i % COLUMNS + 1}`;
const bare = (p) => isChance(p).replace('= ', '');
const sigmoid = (x) => `sigmoid(${told(x)})`;
const near = (x) => Math.abs(x) < .005 ? '0.00' : told(x);
const sum = (values) => values.reduce((total, value) => total + value, 0);

// A small picture that is drawn once: its colours, [red, green, blue, opacity] of each value.
const stamp = (values, colour) => {
  const canvas = made('canvas', '', { width: COLUMNS, height: COLUMNS }), ink = canvas.getContext('2d');
  const image = ink.createImageData(COLUMNS, COLUMNS);
  values.forEach((value, i) => image.data.set(colour(value), 4 * i));
  ink.putImageData(image, 0, 0);
  return canvas;
};
const shade = (theme) => {                        // as `signed` of ink.js
  const [plus, minus] = [theme.plus, theme.minus].map((text) => text.split(',').map(Number));
  return (share) => [...(share < 0 ? minus : plus), 255 * Math.sqrt(clamp(Math.abs(share)))];
};
const paste = (ink, picture, x, y, side, frame) => {
  ink.imageSmoothingEnabled = false;
  ink.drawImage(picture, x, y, side, side);
  if (!frame) return;
  Object.assign(ink, { strokeStyle: frame, lineWidth: 1 });
  ink.strokeRect(x + .5, y + .5, side - 1, side - 1);
};
const frameAt = (ink, theme, i, x, y, side, thick) => {
  const cell = side / COLUMNS, [left, top] = [x + (i % COLUMNS) * cell, y + Math.floor(i / COLUMNS) * cell];
  for (const [colour, width] of [['#fff', thick + 2], [theme.dark ? '#1D4ED8' : theme.chosen, thick]]) {
    Object.assign(ink, { strokeStyle: colour, lineWidth: width });
    ink.strokeRect(left - thick / 2, top - thick / 2, cell + thick, cell + thick);
  }
};

const SHELL = `<div class="asks"><button type="button" class="ask">Show me one</button></div>
<p class="unseen aloud" role="status"></p><p class="lost" hidden></p>
<div class="whole" hidden>
  <div class="ways" role="group" aria-label="Inference"></div>
  <div class="keys" role="group" aria-label="Iterations"><button type="button" class="first">First</button>
    <button type="button" class="back">Back</button><button type="button" class="step">Step</button>
    <button type="button" class="play">Play</button><input type="range" min="1" step="1" aria-label="Iteration"></div>
  <p class="words"></p><div class="panes"></div>
  <section class="opened" hidden><div class="head"><h3></h3><div class="keyed">
    <label>Hidden unit <input class="other" type="number" min="1" step="1" inputmode="numeric"></label>
    <button type="button" class="close">Close</button></div></div>
    <p class="about note"></p>
    <div class="inner"><div><div class="tiles"></div><p class="scale note"></p></div>
      <div><p class="title"></p><canvas class="sum" role="img"></canvas><p class="verdict"></p></div></div></section>
</div>`;
const PANE = `<h3></h3><p class="about note"></p>
  <div class="look"><div><canvas class="image" tabindex="0" role="application"></canvas></div>
    <div class="small"></div></div>
  <div class="sum"><p class="title"></p><div class="rows"><canvas role="img"></canvas></div>
    <p class="verdict"></p></div>`;

const begin = (root, live, group) => {
  root.innerHTML = SHELL;
  const $ = (name) => root.querySelector(name);
  const view = { at: 0, pixel: undefined, way: 0, abreast: false, open: undefined, shown: undefined };
  const tiles = new Map();
  let data, tell, base, seen, lost, clean, answers, theme, playing, speaking, turn = 0, asked = false, width = 0;

  // -- what is asked for --
  const get = (path) => {
    if (!answers.has(path)) {
      const coming = fetch(`${base}/why/${data.why}/${path}`).then((answer) => {
        if (!answer.ok || !answer.headers.get('content-type').includes('json')) throw new Error(answer.status);
        return answer.json();
      });
      coming.catch(() => answers.delete(path));
      answers.set(path, coming);
      if (answers.size > ANSWERS) answers.delete(answers.keys().next().value);
    }
    return answers.get(path);
  };
  const headOf = (way) => get(String(way)).then((head) => {
    head.frames ??= bytes(head.pictures);
    head.drawn ??= new Map();
    return head;
  });
  const tilesOf = async (way, units) => {
    const { model } = data.ways[way], wanted = [...new Set(units)].filter((j) => !tiles.has(`${model} ${j}`));
    for (let k = 0; k < wanted.length; k += TILES) {
      const found = await get(`${way}/weights/${wanted.slice(k, k + TILES).join('-')}`);
      for (const [j, text] of Object.entries(found)) {
        tiles.set(`${model} ${j}`, { values: new Int8Array(bytes(text).buffer) });
      }
    }
    return wanted.length;
  };
  const wayOf = (model, kind) => data.ways.findIndex((way) => way.model === model && way.kind === kind);
  const ways = () => {
    const { model, kind } = data.ways[view.way];
    if (!view.abreast || !passes(kind)) return [view.way];
    return Object.keys(KINDS).filter(passes).map((each) => wayOf(model, each));
  };
  const complain = (text) => {
    put($('.lost'), text);
    $('.lost').hidden = !text;
    if (text) speak(text);
  };

  // Ask for all that is to be seen now; what was asked for meanwhile comes next.
  const load = async () => {
    const mine = turn += 1, some = ways();
    try {
      const heads = await Promise.all(some.map(headOf));
      if (mine !== turn) return;
      view.pixel ??= heads[0].pixel;
      view.at ||= along.at || heads[0].last;
      const { pixel, open, at } = view;
      const units = open && Math.min(at, (await headOf(open.way)).last);
      const [whole, unit] = await Promise.all([Promise.all(some.map((way) => get(`${way}/pixel/${pixel}`))),
        open && get(`${open.way}/unit/${open.unit}/${units}`)]);
      if (mine !== turn || !root.isConnected) return;
      asked = false;
      complain('');
      view.shown = { ways: some, heads, whole, pixel, unit: unit && { ...open, answer: unit, at: units } };
      along.mark(String(pixel));
      draw();
      const fresh = await Promise.all(some.map((way, k) => tilesOf(way, whole[k].units.flat())));
      if (mine === turn && fresh.some(Boolean)) draw();
      if (playing && open) get(`${open.way}/unit/${open.unit}/${units + 1}`).catch(() => {});
    } catch (error) {
      if (mine !== turn) return;
      halt();
      // The server no longer has it: a run of the script makes it anew, once.
      if (error.message === '404' && !asked) { asked = true; return tell('moved', data.why); }
      complain('This did not come. Reload the page.');
    }
  };

  // -- what is drawn --
  // How wide a canvas is, asked once: the answer costs a layout of the whole page.
  const roomOf = (canvas) => canvas.room ||= canvas.clientWidth;
  const forgetRooms = () => { for (const canvas of root.querySelectorAll('canvas')) canvas.room = 0; };
  const pictureAt = (head, t) => {
    if (!head.drawn.has(t)) {
      const many = COLUMNS * COLUMNS, levels = head.frames.subarray((t - 1) * many, t * many);
      head.drawn.set(t, stamp(levels, (level) => [...COLOURS[level], 255]));
    }
    return head.drawn.get(t);
  };
  const tileOf = (way, j) => {
    const found = tiles.get(`${data.ways[way].model} ${j}`);
    if (found && found.ground !== theme.ground) {
      const colour = shade(theme);
      Object.assign(found, { ground: theme.ground, drawn: stamp(found.values, (value) => colour(value / STEPS)) });
    }
    return found?.drawn;
  };
  const white = (ink, x, y, side) => { ink.fillStyle = theme.ground; ink.fillRect(x, y, side, side); };
  const termsOf = (way, answer, t) => {
    const { pixel, open } = view, terms = [{ name: 'bias', value: answer.bias }];
    if (answer.own !== null) terms.push({ name: `own input: ${seen[pixel] ? 'on' : 'off'}`, value: answer.own });
    if (answer.others !== null) {
      terms.push({ name: answer.own === null ? 'input' : 'other inputs', value: answer.others });
    }
    answer.units[t - 1].forEach((unit, k) => {
      const draw = (ink, x, y, side) => {
        const drawn = tileOf(way, unit);
        white(ink, x, y, side);
        if (drawn) paste(ink, drawn, x, y, side, theme.line);
        frameAt(ink, theme, pixel, x, y, side, 1);
      };
      const chosen = open?.way === way && open.unit === unit;
      terms.push({ name: `hidden ${unit + 1}`, value: answer.terms[t - 1][k], unit, chosen, draw });
    });
    const [[more, less], [plus, minus]] = [answer.many[t - 1], answer.rest[t - 1]];
    return [...terms, { name: `${more} others for`, value: plus }, { name: `${less} others against`, value: minus }];
  };
  const verdictOf = (way, answer, t, field) => {
    const { kind } = data.ways[way], { pixel } = view, p = answer.p[t - 1], { kept } = answer;
    const before = t > 1 ? answer.p[t - 2] : answer.start, share = (x) => `${Math.round(100 * x)} %`;
    const chance = ['sum-product', 'mean field'].includes(kind) ? 'P(on)' : 'Belief in on', squashed = sigmoid(field);
    const words = kept
      ? `${chance} ${isChance(p)}: ${share(kept)} of ${bare(before)} before, and ${share(1 - kept)} of ${squashed}.`
      : `${chance} = ${squashed} ${isChance(p)}.`;
    const given = lost[pixel] ? `It was lost: the model sees ${seen[pixel] ? 'white' : 'black'} there.`
      : clean && clean[pixel] !== seen[pixel] ? `The damage turned it ${seen[pixel] ? 'on' : 'off'}.` : '';
    return [words, clean ? `In truth it is ${clean[pixel] ? 'on' : 'off'}.` : '', given].filter(Boolean).join(' ');
  };
  // How far the sums of a pixel reach in all their iterations, and the one that ends farthest from 0.
  const spanOf = (answer) => {
    if (answer.span) return answer.span;
    let low = 0, high = 0, widest = 0;
    answer.p.forEach((_, t) => {
      let at = 0;
      for (const value of [answer.bias, answer.own ?? 0, answer.others ?? 0, ...answer.terms[t], ...answer.rest[t]]) {
        at += value;
        [low, high] = [Math.min(low, at), Math.max(high, at)];
      }
      if (Math.abs(at) > Math.abs(widest)) widest = at;
    });
    return answer.span = { low, high, widest };
  };
  const jointly = (answers) => {
    const spans = answers.map(spanOf), ends = spans.map(({ widest }) => Math.abs(widest));
    return { span: [Math.min(...spans.map(({ low }) => low)), Math.max(...spans.map(({ high }) => high))],
      widest: Math.max(...ends) };
  };
  // A sum with the sigmoid below it; returns the height of a row.
  const drawSum = (canvas, terms, result, field, { curve = true, span = [0, 0], widest = field } = {}) => {
    const room = roomOf(canvas), row = NARROW.matches ? 40 : 32, names = Math.min(158, room * .46);
    const rows = row * (terms.length + 1), below = curve ? CURVE.height + 2 * CURVE.gap + 12 : 4;
    const ink = sharp(canvas, room, rows + below);
    waterfall(ink, theme, terms, { width: room, row, names, result, span });
    const at = { x: 24, y: rows + CURVE.gap, width: Math.min(room - 44, 300), height: CURVE.height };
    if (curve) sigmoidAt(ink, theme, { ...at, field, widest });
    const words = terms.map(({ name, value }) => `${name} ${told(value)}`);
    canvas.setAttribute('aria-label', `${words.join(', ')}. ${result} ${told(field)}.`);
    return row;
  };
  const drawImage = (canvas, head, t, words) => {
    const side = roomOf(canvas), ink = sharp(canvas, side, side);
    paste(ink, pictureAt(head, t), 0, 0, side, theme.line);
    frameAt(ink, theme, view.pixel, 0, 0, side, 3);
    canvas.setAttribute('aria-label', `Restored digit after iteration ${t}. Chosen: ${place(view.pixel)}. ${words} `
      + 'Arrow keys choose another pixel.');
  };
  const drawPane = (pane, k) => {
    const { shown } = view, way = shown.ways[k], head = shown.heads[k], answer = shown.whole[k];
    const t = Math.min(view.at, head.last), { kind } = data.ways[way], buttons = pane.querySelectorAll('.rows button');
    const fits = shown.pixel === view.pixel;                             // else its sum is still on its way
    pane.firstChild.hidden = shown.ways.length === 1;
    put(pane.firstChild, KINDS[kind][0]);
    live.mark(pane.children[1], KINDS[kind][1]);
    const terms = termsOf(way, answer, t), field = sum(terms.map(({ value }) => value));
    const words = fits ? verdictOf(way, answer, t, field) : '';
    drawImage(pane.querySelector('.image'), head, t, words);
    if (!fits) return;
    const ended = shown.ways.length > 1 && t < view.at ? `, at rest after iteration ${t}` : '';
    const where = place(shown.pixel);
    put(pane.querySelector('.title'), `${where[0].toUpperCase()}${where.slice(1)}: what is added up${ended}`);
    const row = drawSum(pane.querySelector('.rows canvas'), terms, 'log-odds', field, jointly(shown.whole));
    put(pane.querySelector('.verdict'), words);
    let b = 0;
    terms.forEach(({ unit, value, chosen }, i) => {
      if (unit === undefined) return;
      const button = buttons[b];
      b += 1;
      Object.assign(button.style, { top: `${i * row}px`, height: `${row}px` });
      button.ariaLabel = `Hidden unit ${unit + 1} says ${told(value)}: open it`;
      button.ariaExpanded = String(chosen);
      button.onclick = () => openUnit(chosen ? undefined : { way, unit });
    });
    buttons.forEach((button, i) => { button.hidden = i >= b; });
  };
  const drawSmall = () => {
    for (const [name, values] of [['seen', seen], ['clean', clean]]) {
      const canvas = root.querySelector(`.small .${name}`);
      if (!canvas) continue;
      const side = roomOf(canvas) || 84, ink = sharp(canvas, side, side);
      paste(ink, stamp(values, (on) => on ? [255, 255, 255, 255] : [0, 0, 0, 255]), 0, 0, side, theme.line);
      frameAt(ink, theme, view.pixel, 0, 0, side, 1.5);
    }
  };
  const drawOpened = () => {
    const opened = $('.opened'), { unit: it, heads, ways: some, pixel } = view.shown;
    opened.hidden = !view.open;
    if (!view.open || !it || it.unit !== view.open.unit || it.way !== view.open.way) return;
    const { answer, unit, way, at } = it, { kind } = data.ways[way], passed = passes(kind);
    for (const name of ['heard', 'said', 'weights']) {
      if (typeof answer[name] === 'string') answer[name] = floats(answer[name]);
    }
    const limit = largest(answer.weights), head = heads[some.indexOf(way)];
    const whose = some.length > 1 ? `, ${KINDS[kind][0]}` : '';
    put(opened.querySelector('h3'), `Hidden unit ${unit + 1}, iteration ${at}${whose}`);
    Object.assign(opened.querySelector('.other'), { value: unit + 1, max: head.hidden });
    live.mark(opened.querySelector('.about'), passed ? CAVITY : MEAN);
    put(opened.querySelector('.scale'), `Blue for on, red for off. One scale in all three: full colour is ±${
      limit.toFixed(2)}, its largest weight; nothing it says or hears over a weight is stronger than it.`);
    const others = [...answer.heard.keys()].filter((i) => !(passed && i === pixel) && answer.heard[i]);
    [answer.weights, answer.heard, answer.said].forEach((values, k) => {
      const canvas = opened.querySelectorAll('.tiles canvas')[k], side = roomOf(canvas), colour = shade(theme);
      const ink = sharp(canvas, side, side);
      white(ink, 0, 0, side);
      paste(ink, stamp(values, (value) => colour(value / limit)), 0, 0, side, theme.line);
      frameAt(ink, theme, pixel, 0, 0, side, 2);
    });
    put(opened.querySelectorAll('figcaption')[1], others.length ? HEARS : `${HEARS}: nothing yet`);
    others.sort((a, b) => Math.abs(answer.heard[b]) - Math.abs(answer.heard[a]));
    const group = (name, those) => those.length &&
      terms.push({ name: `${those.length} others ${name}`, value: sum(those.map((i) => answer.heard[i])) });
    const rest = others.slice(MOST), terms = [{ name: 'bias', value: answer.bias }];
    if (answer.inputs !== null) terms.push({ name: 'damaged picture', value: answer.inputs });
    for (const i of others.slice(0, MOST)) {
      const draw = (ink, x, y, side) => {
        paste(ink, pictureAt(head, Math.max(1, at - 1)), x, y, side, theme.line);
        frameAt(ink, theme, i, x, y, side, 1);
      };
      terms.push({ name: place(i).replace('column', 'col.'), value: answer.heard[i], draw });
    }
    group('for', rest.filter((i) => answer.heard[i] > 0));
    group('against', rest.filter((i) => answer.heard[i] < 0));
    const field = sum(terms.map(({ value }) => value)), w = answer.weights[pixel], says = answer.said[pixel];
    put(opened.querySelector('.title'), passed ? `What it hears, without ${place(pixel)}` : 'What it hears');
    drawSum(opened.querySelector('canvas.sum'), terms, passed ? 'cavity' : 'log-odds', field,
      { curve: kind !== 'max-product' });
    const own = answer.heard[pixel] ? `The pixel's own word, ${near(answer.heard[pixel])}, is left out. ` : '';
    const [weight, cavity, message] = [told(w), told(field), told(says)];
    const max = `If the pixel is on, the unit's better value gains max(0, ${weight} ${cavity}), if it is off max(0, ${
      cavity}). So the unit tells it the difference: ${message}.`;
    const weighed = `By this the unit would be on with q = ${sigmoid(field)} ${isChance(sigma(field))}. Over its `
      + `weight w = ${weight} it tells the pixel ln(1 − q + q·eʷ) = ${message}.`;
    put(opened.querySelector('.verdict'), !passed
      ? `It is on with probability ${bare(answer.p)}. Times its weight of ${weight} it adds ${message}.`
      : own + (kind === 'max-product' ? max : weighed));
  };
  const wordsAt = (t, last, kind) => `Iteration ${t} of ${last}. ${!passes(kind) ? LEFT : t === 1 ? BEFORE
    : AFTER.replace('{}', t - 1)}`;
  const drawKeys = () => {
    const last = Math.max(...view.shown.heads.map((head) => head.last)), slider = $('.keys input'), { at } = view;
    Object.assign(slider, { max: last, value: Math.min(at, last), disabled: last === 1 });
    slider.setAttribute('aria-valuetext', `Iteration ${Math.min(at, last)} of ${last}`);
    const focused = $('.keys button:focus');
    $('.first').disabled = $('.back').disabled = at <= 1; $('.step').disabled = at >= last;
    $('.play').disabled = last === 1; $('.play').hidden = CALM.matches;
    put($('.play'), playing ? 'Pause' : 'Play');
    if (focused?.disabled) slider.focus();
    for (const button of root.querySelectorAll('.ways button')) {
      button.ariaPressed = String(button.pressed());
    }
  };
  // To those who listen, once nothing moves.
  const speak = (words) => {
    clearTimeout(speaking);
    speaking = setTimeout(() => put($('.aloud'), words), data.every + SETTLED);
  };
  function draw() {
    if (!view.shown || !(width ||= $('.whole').clientWidth)) return;
    const { shown } = view;
    theme = themeOf(root);
    const panes = $('.panes');
    if (panes.children.length !== shown.ways.length) forgetRooms();
    root.classList.toggle('abreast', shown.ways.length > 1);
    while (panes.children.length > shown.ways.length) panes.lastChild.remove();
    while (panes.children.length < shown.ways.length) panes.append(newPane(panes.children.length));
    shown.ways.forEach((_, k) => drawPane(panes.children[k], k));
    drawSmall();
    drawOpened();
    drawKeys();
    const last = Math.max(...shown.heads.map((head) => head.last));
    live.mark($('.words'), wordsAt(Math.min(view.at, last), last, data.ways[shown.ways[0]].kind));
    const texts = root.querySelectorAll('.panes :is(.title, .verdict)');
    speak([...texts].map(({ textContent }) => textContent.replace(/[^.]$/, '$&.')).join(' '));
    const { unit } = shown;
    Object.assign(root.dataset, { at: Math.min(view.at, last), last, pixel: shown.pixel, unit: unit ? unit.unit : '' });
  }

  // -- what is done --
  const choosing = (canvas) => {
    canvas.onpointerdown = ({ offsetX, offsetY }) => {
      const at = (from) => clamp(Math.floor(from / canvas.clientWidth * COLUMNS), 0, COLUMNS - 1);
      choose(at(offsetY) * COLUMNS + at(offsetX));
    };
    return canvas;
  };
  const by = (key) => {
    const [x, y] = ARROWS[key], [q, r] = [view.pixel % COLUMNS + x, Math.floor(view.pixel / COLUMNS) + y];
    choose(clamp(r, 0, COLUMNS - 1) * COLUMNS + clamp(q, 0, COLUMNS - 1));
  };
  const newPane = (k) => {
    const pane = made('section', 'pane', { innerHTML: PANE }), image = choosing(pane.querySelector('.image'));
    image.onkeydown = (event) => { if (ARROWS[event.key]) { by(event.key); event.preventDefault(); } };
    pane.querySelector('.rows').append(...Array.from({ length: MOST }, () => made('button', '', { type: 'button' })));
    if (k) return pane;
    const arrow = ([key, [,, textContent, name]]) =>
      made('button', '', { type: 'button', textContent, ariaLabel: `One pixel ${name}`, onclick: () => by(key) });
    const arrows = made('div', 'arrows', {}, ...Object.entries(ARROWS).map(arrow));
    arrows.setAttribute('role', 'group');
    arrows.setAttribute('aria-label', 'Choose a pixel');
    image.after(arrows);
    const small = (name, title) => figure(made('canvas', name), title);
    pane.querySelector('.small').append(small('seen', 'Damaged'), ...(clean ? [small('clean', 'The digit')] : []));
    return pane;
  };
  const seek = (at, leads = true) => {
    view.at = at;
    if (leads) along.lead(at);
    if ($('.whole').hidden) return;
    draw();
    if (view.open) load();
  };
  const halt = () => { clearInterval(playing); playing = undefined; };
  const play = () => {
    if (playing) { halt(); return draw(); }
    const last = () => Math.max(...view.shown.heads.map((head) => head.last));
    if (view.at >= last()) seek(1);
    playing = setInterval(() => {
      if (!root.isConnected) return halt();
      if (view.at + 1 >= last()) halt();
      seek(Math.min(view.at + 1, last()));
    }, data.every);
    draw();
  };
  const choose = (pixel) => { view.pixel = pixel; if (view.shown) draw(); load(); };
  const openUnit = (open) => {
    view.open = open;
    if (!open) { view.shown.unit = undefined; return draw(); }
    load().then(() => $('.opened').scrollIntoView({ block: 'nearest', behavior: CALM.matches ? 'auto' : 'smooth' }));
  };
  const show = () => {
    $('.asks').hidden = true;
    $('.whole').hidden = false;
    root.style.minHeight = 0;
    return load();
  };
  const along = live.goAlong(group, { follow: (at) => { halt(); seek(at, false); }, choose: (name, value) => {
    const key = name.split(' ')[1], way = data.ways.findIndex((each) => each.key === key);
    if (way >= 0 && !view.abreast) view.way = way;
    view.pixel = Number(value);
    show().then(() => root.scrollIntoView({ block: 'start', behavior: CALM.matches ? 'auto' : 'smooth' }));
  } });
  const turnTo = (at) => { halt(); seek(at); };
  $('.ask').onclick = () => show().then(() => root.querySelector('.image')?.focus({ preventScroll: true }));
  $('.first').onclick = () => turnTo(1);
  $('.back').onclick = () => turnTo(Math.max(1, view.at - 1));
  $('.step').onclick = () => turnTo(view.at + 1);
  $('.keys input').oninput = ({ target }) => turnTo(Number(target.value));
  $('.other').onchange = ({ target }) => {
    if (target.checkValidity() && target.value) openUnit({ way: view.open.way, unit: Number(target.value) - 1 });
  };
  $('.play').onclick = play;
  $('.close').onclick = () => { openUnit(undefined); root.querySelector('.image').focus({ preventScroll: true }); };
  $('.tiles').append(...['Its weights', HEARS, 'What it says'].map((title) =>
    figure(choosing(made('canvas', '')), title)));
  const sized = new ResizeObserver(() => {
    const now = $('.whole').clientWidth;
    if (now && now !== width) { width = now; forgetRooms(); draw(); }
  });
  sized.observe(root);

  const drawWays = () => {
    const { model, kind } = data.ways[view.way], models = [...new Set(data.ways.map((way) => way.model))];
    const button = (textContent, pressed, to) => {
      const onclick = () => {
        Object.assign(view, { open: undefined, ...to() });
        drawWays();
        [...root.querySelectorAll('.ways button')].find((each) => each.textContent === textContent).focus();
        load();
      };
      return made('button', '', { type: 'button', textContent, pressed, onclick });
    };
    const now = () => data.ways[view.way];
    const kinds = Object.keys(KINDS).filter((each) => wayOf(model, each) >= 0);
    const some = models.length < 2 ? [] : models.map((each) => button(each, () => now().model === each, () => {
      const same = wayOf(each, kind);
      return { way: same < 0 ? data.ways.findIndex((way) => way.model === each) : same };
    }));
    $('.ways').replaceChildren(...some, ...kinds.map((each) => button(KINDS[each][0],
      () => !view.abreast && now().kind === each, () => ({ way: wayOf(model, each), abreast: false }))),
    button('Sum, max and mixed side by side', () => view.abreast && passes(now().kind),
      () => ({ way: passes(now().kind) ? view.way : wayOf(model, 'sum-product'), abreast: true })));
  };
  view.set = (next, told, from) => {
    const before = data;
    [data, tell, base] = [next, told, from];
    if (before?.why === next.why && !asked) return;
    [answers, seen, lost, clean] = [new Map(), bits(next.seen), bits(next.lost), next.clean && bits(next.clean)];
    if (before) {
      const { model, kind } = before.ways[view.way];
      Object.assign(view, { way: Math.max(0, wayOf(model, kind)), open: undefined, at: 0 });
      halt();
      $('.panes').replaceChildren();
      view.shown = undefined;
    }
    drawWays();
    if (!$('.whole').hidden) load();
  };
  view.end = () => { halt(); clearTimeout(speaking); sized.disconnect(); along.leave(); KEPT.delete(root); };
  return view;
};

export const look = (root, { data, setTriggerValue }, live, base) => {
  if (!root.isConnected) return;
  if (!document.getElementById('lab-pixel-style')) {
    document.head.append(Object.assign(document.createElement('style'), { id: 'lab-pixel-style', textContent: CSS }));
  }
  if (!KEPT.has(root)) KEPT.set(root, begin(root, live, data.group));
  KEPT.get(root).set(data, setTriggerValue, base);
};
export const leave = (root) => KEPT.get(root)?.end();
