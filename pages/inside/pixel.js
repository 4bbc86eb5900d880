// Why a pixel is on: its log-odds as a sum of terms, iteration by iteration. What is drawn is a function of what was
// answered, of the iteration, and of what is chosen: a pixel, ways to infer it, and a hidden unit that is opened.

const KEPT = new WeakMap();                       // what one component keeps from call to call
const ANSWERS = 400, TILES = 48;                  // answers that are kept; tiles that are asked for at once
const CALM = matchMedia('(prefers-reduced-motion: reduce)'), NARROW = matchMedia('(max-width: 760px)');
const MOST = 6;                                   // pixels that a hidden unit hears, one by one
const CURVE = { height: 100, gap: 14 };
const ARROWS = { ArrowUp: [0, -1, '▲', 'up'], ArrowLeft: [-1, 0, '◀', 'left'], ArrowRight: [1, 0, '▶', 'right'],
  ArrowDown: [0, 1, '▼', 'down'] };

const KIND = {
  'sum-product': ['Sum-product', 'A message weighs both values of who sends it, by their probability. The sum gives the '
    + 'probability of the pixel.'],
  'max-product': ['Max-product', 'A message goes by the better value of who sends it alone: for the best image and hidden '
    + 'units together.'],
  'mixed-product': ['Mixed-product', 'Hidden units weigh both their values, a pixel goes by its better one: for the best '
    + 'image, whatever the hidden units are.'],
  'mean field': ['Mean field', 'No messages are passed: each hidden unit adds its probability times its weight.'],
};
const passes = (kind) => kind !== 'mean field';

const made = (tag, className, settings = {}, ...inside) => {
  const element = Object.assign(document.createElement(tag), { className }, settings);
  element.append(...inside);
  return element;
};
const put = (element, text) => { if (element.textContent !== text) element.textContent = text; };
const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
const floats = (text) => new Float32Array(bytes(text).buffer);
const bits = (text) => {
  const packed = bytes(text);
  return Uint8Array.from({ length: COLUMNS * COLUMNS }, (_, i) => packed[i >> 3] >> (7 - (i & 7)) & 1);
};
const place = (i) => `row ${Math.floor(i / COLUMNS) + 1}, column ${i % COLUMNS + 1}`;
const chance = (p) => isChance(p).replace('= ', '');
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
  if (frame) { Object.assign(ink, { strokeStyle: frame, lineWidth: 1 }); ink.strokeRect(x + .5, y + .5, side - 1, side - 1); }
};
const frameAt = (ink, theme, i, x, y, side, thick) => {
  const cell = side / COLUMNS, [left, top] = [x + (i % COLUMNS) * cell, y + Math.floor(i / COLUMNS) * cell];
  for (const [colour, width] of [['#fff', thick + 2], [theme.dark ? '#1D4ED8' : theme.primary, thick]]) {
    Object.assign(ink, { strokeStyle: colour, lineWidth: width });
    ink.strokeRect(left - thick / 2, top - thick / 2, cell + thick, cell + thick);
  }
};

const SHELL = `<div class="asks"><button type="button" class="ask">Show me one</button></div>
<p class="lost" role="status" hidden></p>
<div class="whole" hidden>
  <div class="ways" role="group" aria-label="Inference"></div>
  <div class="keys" role="group" aria-label="Iterations"><button type="button" class="first">First</button>
    <button type="button" class="back">Back</button><button type="button" class="step">Step</button>
    <button type="button" class="play">Play</button><input type="range" min="1" step="1" aria-label="Iteration"></div>
  <p class="words"></p><div class="panes"></div>
  <section class="opened" hidden><div class="head"><h3></h3><button type="button" class="close">Close</button></div>
    <p class="about note"></p>
    <div class="inner"><div><div class="tiles"></div><p class="scale note"></p></div>
      <div><h4></h4><canvas class="sum" role="img"></canvas><p class="verdict"></p></div></div></section>
</div>`;
const PANE = `<h3></h3><p class="about note"></p><div class="look"><div><canvas class="image" tabindex="0"
  role="application"></canvas></div><div class="small"></div></div><div class="sum"><h4></h4><div class="rows">
  <canvas role="img"></canvas></div><p class="verdict"></p></div>`;

const begin = (root, live, group) => {
  root.innerHTML = SHELL;
  const $ = (name) => root.querySelector(name), costs = [];
  const view = { at: 0, pixel: undefined, way: 0, abreast: false, open: undefined, shown: undefined, costs };
  let data, tell, base, answers = new Map(), tiles = new Map(), theme, playing, turn = 0, asked = false, width = 0, seen, lost, clean;

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
      for (const [j, text] of Object.entries(found)) tiles.set(`${model} ${j}`, { values: new Int8Array(bytes(text).buffer) });
    }
  };
  const ways = () => {
    const { model, kind } = data.ways[view.way];
    if (!view.abreast || !passes(kind)) return [view.way];
    return Object.keys(KIND).filter(passes).map((each) => data.ways.findIndex((way) => way.model === model && way.kind === each));
  };
  const complain = (text) => { put($('.lost'), text); $('.lost').hidden = !text; };

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
      await Promise.all(some.map((way, k) => tilesOf(way, whole[k].units.flat())));
      if (mine === turn) draw();
      if (open && units < (await headOf(open.way)).last) get(`${open.way}/unit/${open.unit}/${units + 1}`).catch(() => {});
    } catch (error) {
      if (mine !== turn) return;
      halt();
      // The server no longer has it: a run of the script makes it anew, once.
      if (error.message === '404' && !asked) { asked = true; return tell('moved', data.why); }
      complain('This did not come. Reload the page.');
    }
  };

  // -- what is drawn --
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
      Object.assign(found, { ground: theme.ground, drawn: stamp(found.values, (value) => shade(theme)(value / STEPS)) });
    }
    return found?.drawn;
  };
  const white = (ink, x, y, side) => { ink.fillStyle = theme.ground; ink.fillRect(x, y, side, side); };
  const named = (way) => {
    const { kind, model } = data.ways[way];
    return new Set(data.ways.map((each) => each.model)).size > 1 ? `${KIND[kind][0]}: ${model}` : KIND[kind][0];
  };
  const termsOf = (way, answer, t) => {
    const { pixel, open } = view, terms = [{ name: 'bias', value: answer.bias }];
    if (answer.own !== null) terms.push({ name: `own input: ${seen[pixel] ? 'on' : 'off'}`, value: answer.own });
    if (answer.others !== null) terms.push({ name: answer.own === null ? 'input' : 'other inputs', value: answer.others });
    answer.units[t - 1].forEach((unit, k) => terms.push({ name: `hidden ${unit + 1}`, value: answer.terms[t - 1][k], unit,
      chosen: open?.way === way && open.unit === unit,
      draw: (ink, x, y, side) => {
        const drawn = tileOf(way, unit);
        white(ink, x, y, side);
        if (drawn) paste(ink, drawn, x, y, side, theme.line);
        frameAt(ink, theme, pixel, x, y, side, 1);
      } }));
    const [[more, less], [plus, minus]] = [answer.many[t - 1], answer.rest[t - 1]];
    return [...terms, { name: `${more} others for`, value: plus }, { name: `${less} others against`, value: minus }];
  };
  const believed = (kind) => kind === 'sum-product' || kind === 'mean field' ? 'P(on)' : 'Belief in on';
  const verdictOf = (way, answer, t, field) => {
    const { kind } = data.ways[way], { pixel } = view, p = answer.p[t - 1], { kept } = answer;
    const before = t > 1 ? answer.p[t - 2] : answer.start, share = (x) => `${Math.round(100 * x)} %`;
    const words = kept
      ? `${believed(kind)} ${isChance(p)}: ${share(kept)} of ${chance(before)} before, and ${share(1 - kept)} of σ(${told(field)}).`
      : `${believed(kind)} = σ(${told(field)}) ${isChance(p)}.`;
    const given = lost[pixel] ? `It is lost: the model sees ${seen[pixel] ? 'white' : 'black'} there.`
      : clean && clean[pixel] !== seen[pixel] ? `The damage turned it ${seen[pixel] ? 'on' : 'off'}.` : '';
    return [words, clean ? `In truth it is ${clean[pixel] ? 'on' : 'off'}.` : '', given].filter(Boolean).join(' ');
  };
  // A sum with the sigmoid below it; returns the height of a row.
  const drawSum = (canvas, terms, result, field, curve = true) => {
    const room = canvas.clientWidth, row = NARROW.matches ? 40 : 32, names = Math.min(158, room * .46);
    const rows = row * (terms.length + 1), below = curve ? CURVE.height + 2 * CURVE.gap + 12 : 4;
    const ink = sharp(canvas, room, rows + below);
    waterfall(ink, theme, terms, { width: room, row, names, result });
    const at = { x: 24, y: rows + CURVE.gap, width: Math.min(room - 44, 300), height: CURVE.height };
    if (curve) sigmoidAt(ink, theme, { ...at, field });
    const words = terms.map(({ name, value }) => `${name} ${told(value)}`);
    canvas.setAttribute('aria-label', `${words.join(', ')}. ${result} ${told(field)}.`);
    return row;
  };
  const drawImage = (canvas, head, t, words) => {
    const side = canvas.clientWidth, ink = sharp(canvas, side, side);
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
    put(pane.firstChild, named(way));
    put(pane.children[1], KIND[kind][1]);
    const terms = termsOf(way, answer, t), field = sum(terms.map(({ value }) => value));
    const words = fits ? verdictOf(way, answer, t, field) : '';
    drawImage(pane.querySelector('.image'), head, t, words);
    if (!fits) return;
    const ended = shown.ways.length > 1 && t < view.at ? `, at rest after iteration ${t}` : '';
    const where = place(shown.pixel);
    put(pane.querySelector('h4'), `${where[0].toUpperCase()}${where.slice(1)}: what is added up${ended}`);
    const row = drawSum(pane.querySelector('.rows canvas'), terms, 'log-odds', field);
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
      const side = canvas.clientWidth || 84, ink = sharp(canvas, side, side);
      paste(ink, stamp(values, (on) => on ? [255, 255, 255, 255] : [0, 0, 0, 255]), 0, 0, side, theme.line);
      frameAt(ink, theme, view.pixel, 0, 0, side, 1.5);
    }
  };
  const drawOpened = () => {
    const opened = $('.opened'), { unit: it, heads, ways: some, pixel } = view.shown;
    opened.hidden = !view.open;
    if (!view.open || !it || it.unit !== view.open.unit || it.way !== view.open.way) return;
    const { answer, unit, way, at } = it, { kind } = data.ways[way], passed = passes(kind);
    for (const name of ['heard', 'said', 'weights']) if (typeof answer[name] === 'string') answer[name] = floats(answer[name]);
    const limit = largest(answer.weights), head = heads[some.indexOf(way)];
    put(opened.querySelector('h3'), `Hidden unit ${unit + 1}, iteration ${at}${some.length > 1 ? `, ${KIND[kind][0]}` : ''}`);
    put(opened.querySelector('.about'), passed
      ? 'It hears from every pixel, and answers every pixel. What it tells one is made of what all others have told it: '
        + 'this is the cavity, the sum without that pixel.'
      : 'Its probability is the sigmoid of its sum over all pixels; what it adds to a pixel is that times its weight.');
    put(opened.querySelector('.scale'), `Blue for on, red for off. One scale in all three: full colour is ±${limit.toFixed(2)}, `
      + 'its largest weight; nothing it says or hears over a weight is stronger than it.');
    [answer.weights, answer.heard, answer.said].forEach((values, k) => {
      const canvas = opened.querySelectorAll('.tiles canvas')[k], side = canvas.clientWidth, ink = sharp(canvas, side, side);
      white(ink, 0, 0, side);
      const colour = shade(theme);
      paste(ink, stamp(values, (value) => colour(value / limit)), 0, 0, side, theme.line);
      frameAt(ink, theme, pixel, 0, 0, side, 2);
    });
    const others = [...answer.heard.keys()].filter((i) => !(passed && i === pixel) && answer.heard[i]);
    others.sort((a, b) => Math.abs(answer.heard[b]) - Math.abs(answer.heard[a]));
    const group = (name, some) => ({ name: `${some.length} others ${name}`, value: sum(some.map((i) => answer.heard[i])) });
    const rest = others.slice(MOST), terms = [{ name: 'bias', value: answer.bias }];
    if (answer.inputs !== null) terms.push({ name: 'damaged picture', value: answer.inputs });
    for (const i of others.slice(0, MOST)) terms.push({ name: place(i).replace('column', 'col.'), value: answer.heard[i],
      draw: (ink, x, y, side) => {
        paste(ink, pictureAt(head, Math.max(1, at - 1)), x, y, side, theme.line);
        frameAt(ink, theme, i, x, y, side, 1);
      } });
    terms.push(group('for', rest.filter((i) => answer.heard[i] > 0)), group('against', rest.filter((i) => answer.heard[i] < 0)));
    const field = sum(terms.map(({ value }) => value)), w = answer.weights[pixel], says = answer.said[pixel];
    put(opened.querySelector('h4'), passed ? `What it hears, without ${place(pixel)}` : 'What it hears');
    drawSum(opened.querySelector('canvas.sum'), terms, passed ? 'cavity' : 'log-odds', field, kind !== 'max-product');
    const own = answer.heard[pixel] ? `The pixel's own word, ${near(answer.heard[pixel])}, is left out. ` : '';
    const [weight, c] = [told(w), told(field)];
    put(opened.querySelector('.verdict'), !passed
      ? `It is on with probability ${chance(answer.p)}. Times its weight of ${weight} it adds ${told(says)}.`
      : kind === 'max-product'
        ? `${own}If the pixel is on, the unit's better value gains max(0, ${weight} ${c}), if it is off max(0, ${c}). So the unit `
          + `tells it the difference: ${told(says)}.`
        : `${own}By this the unit would be on with q = σ(${c}) ${isChance(sigma(field))}. Over its weight w = ${weight} it tells the pixel `
          + `ln(1 − q + q·eʷ) = ${told(says)}.`);
  };
  const wordsAt = (t, last, kind) => {
    const at = `Iteration ${t} of ${last}`;
    if (!passes(kind)) return `${at}. Each hidden unit is on with the probability that the iteration before has left.`;
    return t === 1 ? `${at}. No pixel has spoken yet: each hidden unit goes by its bias and the damaged picture alone, and tells `
      + 'each pixel by how much it speaks for its being on, or against.'
      : `${at}. Each hidden unit has heard what all pixels said in iteration ${t - 1}, and tells each pixel by how much it `
        + 'speaks for its being on, or against.';
  };
  const drawKeys = () => {
    const last = Math.max(...view.shown.heads.map((head) => head.last)), slider = $('input'), { at } = view;
    Object.assign(slider, { max: last, value: Math.min(at, last), disabled: last === 1 });
    slider.setAttribute('aria-valuetext', `Iteration ${Math.min(at, last)} of ${last}`);
    const focused = $('.keys button:focus');
    $('.first').disabled = $('.back').disabled = at <= 1; $('.step').disabled = at >= last;
    $('.play').disabled = last === 1; $('.play').hidden = CALM.matches;
    put($('.play'), playing ? 'Pause' : 'Play');
    if (focused?.disabled) slider.focus();
    for (const button of root.querySelectorAll('.ways button')) {
      button.ariaPressed = String(button.value === 'abreast' ? view.abreast : !view.abreast && Number(button.value) === view.way);
    }
  };
  function draw() {
    if (!view.shown || !$('.whole').clientWidth) return;
    const from = performance.now(), { shown } = view;
    theme = themeOf(root);
    root.classList.toggle('abreast', shown.ways.length > 1);
    const panes = $('.panes');
    while (panes.children.length > shown.ways.length) panes.lastChild.remove();
    while (panes.children.length < shown.ways.length) panes.append(newPane(panes.children.length));
    shown.ways.forEach((_, k) => drawPane(panes.children[k], k));
    drawSmall();
    drawOpened();
    drawKeys();
    const last = Math.max(...shown.heads.map((head) => head.last));
    put($('.words'), wordsAt(Math.min(view.at, last), last, data.ways[shown.ways[0]].kind));
    const { unit } = shown;
    Object.assign(root.dataset, { at: Math.min(view.at, last), last, pixel: shown.pixel, unit: unit ? unit.unit : '' });
    costs.push(performance.now() - from);
    if (costs.length > 1_000) costs.shift();
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
    pane.querySelector('.verdict').setAttribute('aria-live', k ? 'off' : 'polite');
    if (k) return pane;
    const arrows = made('div', 'arrows', {}, ...Object.entries(ARROWS).map(([key, [,, sign, name]]) =>
      made('button', '', { type: 'button', textContent: sign, ariaLabel: `One pixel ${name}`, onclick: () => by(key) })));
    arrows.setAttribute('role', 'group');
    arrows.setAttribute('aria-label', 'Choose a pixel');
    image.after(arrows);
    const small = (name, title) => made('figure', '', {}, Object.assign(made('canvas', name), { role: 'img', ariaLabel: title }),
      made('figcaption', '', { textContent: title }));
    pane.querySelector('.small').append(small('seen', 'Damaged'), ...(clean ? [small('clean', 'The digit')] : []));
    return pane;
  };
  const seek = (at, leads = true) => {
    view.at = at;
    if (leads) along.lead(at);
    if ($('.whole').hidden) return;
    if (view.open) load(); else draw();
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
  $('input').oninput = () => turnTo(Number($('input').value));
  $('.play').onclick = play;
  $('.close').onclick = () => { openUnit(undefined); root.querySelector('.image').focus({ preventScroll: true }); };
  $('.tiles').append(...['Its weights', 'What it hears', 'What it says'].map((title) => made('figure', '', {},
    choosing(Object.assign(made('canvas', ''), { role: 'img', ariaLabel: title })), made('figcaption', '', { textContent: title }))));
  const sized = new ResizeObserver(() => {
    const now = $('.whole').clientWidth;
    if (now && now !== width) { width = now; draw(); }
  });
  sized.observe(root);

  const drawWays = () => {
    const bar = $('.ways'), shown = data.ways.map((way, i) => ({ ...way, i }));
    const buttons = shown.map(({ i }) => made('button', '', { type: 'button', value: i, textContent: named(i), onclick: () => {
      Object.assign(view, { way: i, abreast: false, open: undefined });
      load();
    } }));
    const abreast = made('button', '', { type: 'button', value: 'abreast', textContent: 'Sum, max and mixed side by side',
      onclick: () => {
        if (!passes(data.ways[view.way].kind)) view.way = data.ways.findIndex(({ kind }) => passes(kind));
        Object.assign(view, { abreast: true, open: undefined });
        load();
      } });
    bar.replaceChildren(...buttons, abreast);
  };
  view.set = (next, told, from) => {
    const before = data;
    [data, tell, base] = [next, told, from];
    if (before?.why === next.why && !asked) return;
    [answers, seen, lost, clean] = [new Map(), bits(next.seen), bits(next.lost), next.clean && bits(next.clean)];
    if (before) {
      const { model, kind } = before.ways[view.way], same = next.ways.findIndex((way) => way.model === model && way.kind === kind);
      Object.assign(view, { way: Math.max(0, same), open: undefined, at: 0 });
      halt();
      $('.panes').replaceChildren();
      view.shown = undefined;
    }
    drawWays();
    if (!$('.whole').hidden) load();
  };
  view.end = () => { halt(); sized.disconnect(); along.leave(); KEPT.delete(root); };
  Object.assign(view, { seek, choose, play, openUnit });
  return view;
};

export const look = (root, { data, setTriggerValue }, live, base) => {
  if (!root.isConnected) return;
  if (!document.getElementById('lab-pixel-style')) {
    document.head.append(Object.assign(document.createElement('style'), { id: 'lab-pixel-style', textContent: CSS }));
  }
  if (!KEPT.has(root)) { KEPT.set(root, begin(root, live, data.group)); root.view = KEPT.get(root); }
  KEPT.get(root).set(data, setTriggerValue, base);
};
export const leave = (root) => KEPT.get(root)?.end();
