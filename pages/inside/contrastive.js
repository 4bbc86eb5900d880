// A contrastive update: the network, with the tables of its hidden units above them, and the sums of what is chosen.

const FEW_UNITS = 12;                             // hidden units whose tables are all drawn, each above its own
const DURATION = { data: 3, start: 1.6, hidden: 3, visible: 3, end: 2.4, difference: 4, offsets: 2.5, centred: 3,
  equalised: 3, new: 2.5 };
const FOLD = 3;                                   // seconds that what is folded flies past in
const LINES = ['data', '− model', '= G', 'W'];
const MOST_TERMS = 9;

const nameOfPixel = ({ shape, names }, i) =>
  shape ? `row ${Math.floor(i / shape[1]) + 1}, column ${i % shape[1] + 1}` : names?.[i] ?? `column ${i + 1}`;
const briefPixel = ({ shape, names }, i) =>
  shape ? `r${Math.floor(i / shape[1]) + 1} c${i % shape[1] + 1}` : names?.[i] ?? `v${i + 1}`;

// The line in which what is looked at is chosen by name and number; `picks` are [pick, name, count, title of index].
const lookAt = (lab, picks) => {
  const kind = made('select', '', { ariaLabel: 'Look at' }), number = made('input', '', { type: 'number', min: 1, step: 1 });
  kind.append(...picks.map(([pick, name]) => made('option', '', { value: pick, textContent: name })));
  const line = made('div', 'look-at', {}, made('span', '', { textContent: 'Look at' }), kind, number, made('span', 'which'));
  kind.onchange = () => lab.choose({ pick: kind.value, index: 0 });
  number.onchange = () => {
    if (number.value && number.checkValidity()) lab.choose({ pick: kind.value, index: Number(number.value) - 1 });
  };
  const show = () => {
    const { pick, index } = lab.chosen, [, name, count, which] = picks.find(([each]) => each === pick);
    kind.value = pick;
    Object.assign(number, { max: count, ariaLabel: `Number of the ${name}` });
    if (document.activeElement !== number || Number(number.value) - 1 !== index) number.value = index + 1;
    line.lastChild.textContent = which(index);
  };
  return { line, show };
};

DRAWN.contrastive = (trace, lab) => {
  const { phases, models, values, shape } = trace, [nv, nh] = models[0].W.dims, rate = values.rate;
  const columns = shape ? shape[1] : Math.min(nv, 8), rows = Math.ceil(nv / columns), few = nh <= FEW_UNITS;
  const whole = !models[0].W.missing;
  const long = phases.filter(({ kind }) => kind === 'hidden' || kind === 'visible').length;
  const pace = long > 6 ? 6 / long : 1;
  const seconds = phases.map(({ kind, folded }) =>
    folded ? FOLD : DURATION[kind] * (kind === 'hidden' || kind === 'visible' ? Math.max(pace, .35) : 1));
  const most = { W: Math.max(...models.map(({ W }) => W.most)),
    G: Math.max(1e-9, ...phases.filter(({ kind }) => ['difference', 'centred', 'equalised'].includes(kind)).map(({ W }) => W.most)) };
  const canvas = made('canvas', 'picture', { tabIndex: 0, role: 'application' });
  const picks = [['h', 'hidden unit', nh, (j) => `of ${nh}`], ['v', shape ? 'pixel' : 'column', nv, (i) => nameOfPixel(trace, i)],
    ['w', 'weight', nv * nh, (k) => `${nameOfPixel(trace, Math.floor(k / nh))}, to hidden unit ${k % nh + 1}`]];
  const selector = lookAt(lab, picks), stage = made('div', 'stage', {}, canvas, selector.line);
  lab.chosen ??= { pick: 'h', index: 0 };
  const unitOf = () => lab.chosen.pick === 'h' ? lab.chosen.index : lab.chosen.pick === 'w' ? lab.chosen.index % nh : null;
  const pixelOf = () => lab.chosen.pick === 'v' ? lab.chosen.index
    : lab.chosen.pick === 'w' ? Math.floor(lab.chosen.index / nh) : null;
  let place, last = { i: 0, f: 1 };

  // -- the numbers: of a hidden unit j (a column of a matrix) or of a pixel q (a row) -------------------
  const column = (where, i, name, j) => taken(trace, where, i, name, 'h', 1, j, lab.redraw);
  const line = (where, i, name, q) => taken(trace, where, i, name, 'v', 0, q, lab.redraw);
  const near = (i, kinds, by) => { while (phases[i] && !kinds.includes(phases[i].kind)) i += by; return phases[i] ? i : -1; };
  const G = ['difference', 'centred', 'equalised'];
  const latest = (i, kinds) => phases[near(i, kinds, -1)];

  // What each line of the tables shows in phase i: [phase, array, most] or nothing yet.
  const tables = (i) => {
    const { kind, at } = phases[i], first = near(0, ['difference'], 1), past = kind === 'new' || kind === 'end' || G.includes(kind);
    const here = past ? (kind === 'end' ? near(i, ['difference'], 1) : near(i, ['difference'], -1)) : -1;
    const direction = kind === 'end' ? -1 : G.includes(kind) ? i : kind === 'new' ? near(i, G, -1) : -1;
    const frozen = at > (kind === 'new' ? 1 : 0);
    return { frozen, data: first, model: here, G: direction };
  };

  // What the units show when the share f of phase i is over.
  const scene = (i, f) => {
    const phase = phases[i], { kind } = phase, seen = { h: null, u: null, flow: 0 };
    const drawn = latest(i, ['visible', 'start', 'data']);
    seen.v = drawn.v;
    if (phase.folded) {
      const look = phase.looks[Math.min(phase.looks.length - 1, Math.floor(f * phase.looks.length))];
      [seen.v, seen.h] = [look.v, look.h ?? latest(i, ['hidden']).h];
    } else if (kind === 'data' || kind === 'end') {
      Object.assign(seen, { flow: 1, v: phase.v, h: phase.p.map((p) => p * ease(f, .45, .8)) });
    } else if (kind === 'start') {
      const from = phases[i - 1].v, g = ease(f, .2, .8);
      seen.v = Float32Array.from(phase.v, (x, q) => from[q] + (x - from[q]) * g);
      seen.h = latest(i, ['data']).p.map((p) => p * (1 - g));
    } else if (kind === 'hidden') {
      const done = ease(f, .85, .95), known = ease(f, .3, .5);
      seen.h = phase.p.map((p, j) => p * known * (1 - done) + phase.h[j] * done);
      Object.assign(seen, { flow: 1, v: phase.v, u: phase.u, shown: ease(f, .55, .7) * (1 - ease(f, .96, 1)) });
    } else if (kind === 'visible') {
      const known = ease(f, .3, .5), done = ease(f, .85, .95), from = latest(i - 1, ['visible', 'start']).v;
      seen.v = phase.p.map((p, q) => (from[q] * (1 - known) + p * known) * (1 - done) + phase.v[q] * done);
      Object.assign(seen, { flow: -1, h: phase.h });
    } else seen.h = latest(i, ['end']).p;
    return seen;
  };

  // -- where things are ---------------------------------------------------------------------------------
  const layout = (width) => {
    const gutter = few ? (width < 480 ? 58 : 84) : 0, room = width - gutter - 4;
    const across = few ? nh : Math.min(nh, Math.max(8, Math.ceil(Math.sqrt(nh * 2.6)))), down = Math.ceil(nh / across);
    const step = Math.min(room / across, few ? 130 : 26), radius = Math.min(step / 2 - 2, few ? 20 : 11);
    const side = few ? Math.min(step - 8, 46) : Math.min((width - 60) / 4, 84), tall = side * rows / columns + (few ? 10 : 30);
    const above = few ? 4 * tall + 8 : tall + 8, first = gutter + (room - step * across) / 2;
    const wide = Math.min(width * .66, 400), cell = wide / (columns + rows * .42), lean = cell * .42, flat = cell * .6;
    const top = above + down * Math.max(2 * radius + 6, few ? 0 : step) + (few ? 84 : 60);
    const left = (width - wide) / 2;
    place = { width, gutter, across, step, radius, side, tall, cell, lean, flat, top, height: top + rows * flat + 24,
      hidden: (j) => [first + step * (j % across + .5), above + radius + 6 + Math.floor(j / across) * (few ? 0 : step)],
      pixel: (q) => [left + (q % columns + .5) * cell + (rows - .5 - Math.floor(q / columns)) * lean,
        top + (Math.floor(q / columns) + .5) * flat],
      tile: (row, j) => few ? [first + step * (j + .5) - side / 2, 4 + row * tall]
        : [row * (side + (width - 4 * side) / 3.001), 18] };
  };

  // -- drawing ------------------------------------------------------------------------------------------
  const drawTables = (ink, theme, i, f) => {
    const { side, tall, gutter } = place, known = tables(i), { kind, at } = phases[i], mine = unitOf();
    const shown = [i ? 1 : ease(f, .85, 1), kind === 'end' ? ease(f, .85, 1) : 1, kind === 'new' ? 1 : ease(f, .1, .3), 1];
    const sources = [['phases', known.data, 'data_W', 1], ['phases', known.model, 'model_W', 1], ['phases', known.G, 'W', most.G],
      ['models', at, 'W', most.W]];
    LINES.forEach((name, row) => {
      const [where, from, array, limit] = sources[row], frozen = row === 0 && known.frozen;
      const told_ = frozen ? 'frozen' : row < 2 ? '0 to 1' : `±${limit.toPrecision(2)}`;
      const [x0, y0] = place.tile(row, 0);
      if (few) {
        const mid = y0 + side * rows / columns / 2;
        say(ink, theme, name, 0, mid - 7, { weight: 600, size: 12 });
        say(ink, theme, told_, 0, mid + 8, { size: 11, colour: frozen ? theme.text : theme.soft });
      } else say(ink, theme, `${name} ${told_}`, x0, 8, { size: 11, room: side + 20 });
      const units = few ? Array.from({ length: nh }, (_, j) => j) : [mine ?? 0];
      for (const j of units) {
        const [x, y] = place.tile(row, few ? j : 0);
        const values = from < 0 ? undefined : column(where, from, array, j);
        const frame = frozen ? theme.text : j === mine && few ? theme.primary : theme.line;
        ink.globalAlpha = shown[row];
        if (values && values.length) tile(ink, values, columns, x, y, side, (value) => signed(value, limit, theme), frame);
        ink.globalAlpha = 1;
        if (!values || shown[row] < .05) {
          ink.setLineDash([2, 3]);
          Object.assign(ink, { strokeStyle: theme.line, lineWidth: 1 });
          ink.strokeRect(x - .5, y - .5, side + 1, side * rows / columns + 1);
          ink.setLineDash([]);
        }
        const q = lab.chosen.pick === 'w' && j === mine ? pixelOf() : null;
        if (q !== null) {
          const cell = side / columns;
          Object.assign(ink, { strokeStyle: theme.primary, lineWidth: 2 });
          ink.strokeRect(x + (q % columns) * cell - 1, y + Math.floor(q / columns) * cell - 1, cell + 2, cell + 2);
        }
      }
    });
  };
  const drawPixels = (ink, theme, seen) => {
    const { cell, lean, flat } = place, mine = pixelOf();
    for (let q = 0; q < nv; q++) {
      const [x, y] = place.pixel(q), gap = cell * .45, half = flat * .45, slant = lean / 2 * .9;
      ink.beginPath();
      ink.moveTo(x - gap + slant, y - half); ink.lineTo(x + gap + slant, y - half);
      ink.lineTo(x + gap - slant, y + half); ink.lineTo(x - gap - slant, y + half);
      ink.closePath();
      ink.fillStyle = gray(seen.v[q]);
      ink.fill();
      if (q === mine || cell > 9) {
        Object.assign(ink, { strokeStyle: q === mine ? theme.primary : theme.soft, lineWidth: q === mine ? 3 : 1 });
        ink.stroke();
      }
    }
  };
  const drawEdges = (ink, theme, i, f, seen) => {
    const { kind, at } = phases[i], { radius } = place, j0 = unitOf(), q0 = pixelOf();
    const flash = G.includes(kind) ? ease(f, .35, .6) : kind === 'new' ? 1 - ease(f, .4, 1) : 0;
    const from = flash ? (kind === 'new' ? near(i, G, -1) : i) : -1;
    const all = whole && nv * nh <= 160;
    const edge = (q, j, w, g, mine) => {
      const [x0, y0] = place.pixel(q), [x1, y] = place.hidden(j), y1 = y + radius;
      const value = g / most.G * flash + w / most.W * (1 - flash);
      const busy = seen.flow > 0 ? seen.v[q] > .5 : seen.flow < 0 ? (seen.h?.[j] ?? 0) > .5 : true;
      if (Math.abs(value) < .02 && !all) return;
      ink.strokeStyle = signed(value, 1, theme, mine ? (busy ? 1 : .3) : busy ? .45 : .12);
      ink.lineWidth = .5 + (mine ? 3.5 : 2.5) * Math.abs(value);
      ink.beginPath(); ink.moveTo(x0, y0); ink.lineTo(x1, y1); ink.stroke();
      if (mine && busy) {                                                // its end, which the pixel would hide
        ink.beginPath(); ink.arc(x0, y0, Math.min(3, place.cell / 4), 0, 7);
        ink.fillStyle = signed(value, 1e-9, theme); ink.fill();
        Object.assign(ink, { strokeStyle: '#fff', lineWidth: .75 }); ink.stroke();
      }
      if (!seen.flow || !busy || lab.still || (!mine && !all)) return;
      const g0 = ease(f, .02, seen.flow > 0 && kind === 'data' ? .5 : .35), way = seen.flow > 0 ? g0 : 1 - g0;
      if (g0 <= 0 || g0 >= 1) return;
      ink.fillStyle = signed(w, most.W, theme);
      ink.beginPath();
      ink.arc(x0 + (x1 - x0) * way, y0 + (y1 - y0) * way, 1.5 + 3 * Math.sqrt(Math.abs(w) / most.W), 0, 7);
      ink.fill();
    };
    if (phases[i].folded) return;
    if (all) {
      const { W } = models[at], step = from < 0 ? undefined : phases[from].W;
      for (let q = 0; q < nv; q++) for (let j = 0; j < nh; j++) {
        if (j !== j0 && q !== q0) edge(q, j, W[q * nh + j], step?.[q * nh + j] ?? 0, false);
      }
    }
    if (j0 !== null) {
      const W = column('models', at, 'W', j0), step = from < 0 ? undefined : column('phases', from, 'W', j0);
      if (W) for (let q = 0; q < nv; q++) edge(q, j0, W[q], step?.[q] ?? 0, q0 === null || q === q0);
    } else if (q0 !== null) {
      const W = line('models', at, 'W', q0), step = from < 0 ? undefined : line('phases', from, 'W', q0);
      if (W) for (let j = 0; j < nh; j++) edge(q0, j, W[j], step?.[j] ?? 0, true);
    }
  };
  const drawHidden = (ink, theme, seen) => {
    const { radius: r } = place, mine = unitOf();
    for (let j = 0; j < nh; j++) {
      const [x, y] = place.hidden(j), level = seen.h?.[j] ?? 0;
      ink.beginPath(); ink.arc(x, y, r, 0, 7);
      ink.fillStyle = '#000'; ink.fill();
      if (level > 0) {                                                   // filled from below to the probability
        const rise = Math.acos(clamp(2 * level - 1, -1, 1));
        ink.beginPath(); ink.arc(x, y, r, -Math.PI / 2 + rise, -Math.PI / 2 - rise + 2 * Math.PI);
        ink.fillStyle = '#fff'; ink.fill();
      }
      Object.assign(ink, { strokeStyle: j === mine ? theme.primary : theme.soft, lineWidth: j === mine ? 3 : 1.2 });
      ink.beginPath(); ink.arc(x, y, r, 0, 7); ink.stroke();
      if (seen.u && seen.shown > 0) {
        const at = y + r - 2 * r * seen.u[j];
        ink.globalAlpha = seen.shown;
        Object.assign(ink, { strokeStyle: theme.lit, lineWidth: r > 12 ? 3 : 2 });
        ink.beginPath(); ink.moveTo(x - r - 2, at); ink.lineTo(x + r + 2, at); ink.stroke();
        ink.globalAlpha = 1;
      }
    }
    if (few) for (let j = 0; j < nh; j++) {
      const [x, y] = place.hidden(j);
      if (place.step > 64) say(ink, theme, `h${j + 1}`, x + r + 5, y, { colour: theme.soft, size: 12 });
    }
  };
  const draw = (i, f, theme) => {
    last = { i, f };
    selector.show();
    const ink = sharp(canvas, place.width, place.height), seen = scene(i, f), { kind } = phases[i];
    drawTables(ink, theme, i, f);
    drawPixels(ink, theme, seen);
    drawEdges(ink, theme, i, f, seen);
    drawHidden(ink, theme, seen);
    const begins = kind === 'data' || (kind === 'start' && f < .5), what = shape ? 'pixels' : 'columns';
    say(ink, theme, `${what}: ${begins ? 'a row of the data' : 'the chain'}`, place.width / 2, place.height - 9,
      { colour: theme.soft, size: 12, align: 'center' });
    const { title, verdict } = sum(i);
    canvas.ariaLabel = `${title}. ${verdict} Arrow keys choose another.`;
  };

  // -- the arithmetic -----------------------------------------------------------------------------------
  const named = (j) => `h${j + 1}`;
  const decided = (phase, k, name, on) => {
    const p = phase.p[k];
    if (!phase.u) return `${name}: p = σ(${told(phase.field[k])}) = ${asChance(p)}. The gradient takes it as it is; nothing is drawn.`;
    const u = phase.u[k], is = on[k] ? 'on' : 'off';
    return `p = ${asChance(p)} and u = ${u.toFixed(3)}: u is ${u < p ? 'below' : 'not below'} p, so ${name} is ${is}.`;
  };
  const grids = (cells) => ({
    height: (width) => Math.ceil(cells.length / 2) * (22 + Math.min((width - 16) / 2, 180) * rows / columns + 8),
    text: cells.map(([name]) => name).join(', '),
    draw: (ink, theme, width, y) => cells.forEach(([name, some, limit], k) => {
      const side = Math.min((width - 16) / 2, 180), x = (k % 2) * (side + 16), top = y + Math.floor(k / 2) * (30 + side * rows / columns);
      say(ink, theme, name, x, top + 9, { weight: 600, size: 12, room: side });
      if (!some) return;
      tile(ink, some, columns, x, top + 22, side, (value) => signed(value, limit, theme), theme.line);
      const cell = side / columns;
      if (cell < 34) return;
      some.forEach((value, q) => say(ink, theme, told(value, Math.abs(value) < .1 && value ? 3 : 2), x + (q % columns + .5) * cell,
        top + 22 + (Math.floor(q / columns) + .5) * cell, { align: 'center', size: 11 }));
    }),
  });
  const ofUnit = (i, j, marked) => {
    const phase = phases[i], { kind, at } = phase, name = named(j);
    const W = column('models', at, 'W', j), { c } = models[at];
    if (!W) return { title: name, verdict: 'Its weights are on their way.', blocks: [] };
    if (['data', 'hidden', 'end'].includes(kind) && !phase.folded) {
      const terms = [...phase.v].flatMap((on, q) => on ? [{ name: briefPixel(trace, q), value: W[q], chosen: q === marked }] : []);
      const all = [{ name: 'bias c', value: c[j] }, ...strongest(terms, MOST_TERMS)];
      return { title: `What ${name} adds up`, verdict: decided(phase, j, name, phase.h ?? []),
        blocks: [{ terms: all, result: 'sum', field: phase.field[j], u: phase.u?.[j] }] };
    }
    if (G.includes(kind) || kind === 'new') {
      const { data, model, G: g } = tables(i), step = kind === 'new' ? column('phases', i, 'W', j) : undefined;
      const cells = [['data', column('phases', data, 'data_W', j), 1], ['− model', column('phases', model, 'model_W', j), 1],
        ['= G', column('phases', g, 'W', j), most.G], kind === 'new' ? ['W after', W, most.W] : ['W before', W, most.W]];
      const moves = kind === 'new' ? phases[i].c[j] : rate * phases[g].c[j];
      return { title: `The weights of ${name}`, blocks: [grids(cells)],
        verdict: `W moves by η G, η = ${rate}. Its bias c ${kind === 'new' ? 'has moved' : 'will move'} by ${told(moves, 4)}: how often ${name} is on in the data, less in the dream.`
          + (step ? ` Its largest change of a weight is ${told(largest(step), 4).slice(1)}.` : '') };
    }
    const on = kind === 'visible' && !phase.folded ? phase.h[j] : undefined;
    const does = on === undefined ? 'Nothing is added up here.' : on ? `${name} is on: it adds these weights to the pixels.` : `${name} is off: it says nothing to the pixels.`;
    return { title: `The weights of ${name}`, verdict: does, blocks: [grids([['W', W, most.W]])] };
  };
  const ofPixel = (i, q) => {
    const phase = phases[i], { kind, at } = phase, name = nameOfPixel(trace, q);
    const W = line('models', at, 'W', q);
    if (!W) return { title: name, verdict: 'Its weights are on their way.', blocks: [] };
    if (kind === 'visible' && !phase.folded) {
      const terms = [...phase.h].flatMap((on, j) => on ? [{ name: named(j), value: W[j] }] : []);
      return { title: `What ${name} adds up`, verdict: decided(phase, q, 'the pixel', phase.v),
        blocks: [{ terms: [{ name: 'bias b', value: models[at].b[q] }, ...strongest(terms, MOST_TERMS)], result: 'sum',
          field: phase.field[q], u: phase.u[q] }] };
    }
    if (G.includes(kind) || kind === 'new') {
      const g = tables(i).G, moves = kind === 'new' ? phase.b[q] : rate * phases[g].b[q], step = line('phases', g, 'W', q);
      const terms = [...step ?? []].map((value, j) => ({ name: named(j), value: rate * value }));
      return { title: `How the weights of ${name} change`, blocks: [{ terms: strongest(terms, MOST_TERMS), result: 'in all' }],
        verdict: `η G for the weight to each hidden unit. Its bias b moves by ${told(moves, 4)}.` };
    }
    const v = scene(i, 1).v[q] > .5;
    const terms = [...W].map((value, j) => ({ name: named(j), value }));
    return { title: `What ${name} tells the hidden units`, blocks: [{ terms: strongest(terms, MOST_TERMS), result: 'in all' }],
      verdict: v ? 'It is on: each hidden unit gets its weight.' : 'It is off: no hidden unit gets its weight.' };
  };
  const ofWeight = (i, q, j) => {
    const { kind } = phases[i];
    if (!G.includes(kind) && kind !== 'new') {
      return kind === 'visible' ? ofPixel(i, q) : ofUnit(i, j, q);
    }
    const { data, model, G: g } = tables(i), [a, b, direction] = [[data, 'data_W'], [model, 'model_W'], [g, 'W']]
      .map(([from, name]) => column('phases', from, name, j)?.[q]);
    const before = column('models', phases[i].at - (kind === 'new' ? 1 : 0), 'W', j)?.[q];
    if (direction === undefined || before === undefined) return { title: 'Weight', verdict: 'It is on its way.', blocks: [] };
    const plain = Math.abs(a - b - direction) < 1e-5;
    const terms = [{ name: 'W before', value: before }, ...(plain ? [{ name: 'η · data', value: rate * a },
      { name: '− η · model', value: -rate * b }] : [{ name: 'η · G', value: rate * direction }])];
    const why = direction > 0 ? 'grows: both are on together more often in the data than in the dream'
      : direction < 0 ? 'shrinks: both are on together more often in the dream than in the data' : 'stays as it is';
    return { title: `Weight from ${nameOfPixel(trace, q)} to ${named(j)}`, blocks: [{ terms, result: 'W after' }],
      verdict: plain ? `It ${why}: ${a.toFixed(3)} against ${b.toFixed(3)}.` : `It moves by η G = ${told(rate * direction, 4)}.` };
  };
  const sum = (i) => {
    const [j, q] = [unitOf(), pixelOf()];
    return lab.chosen.pick === 'h' ? ofUnit(i, j) : lab.chosen.pick === 'v' ? ofPixel(i, q) : ofWeight(i, q, j);
  };

  // -- choosing -----------------------------------------------------------------------------------------
  canvas.onclick = ({ offsetX: x, offsetY: y }) => {
    const { side, radius, cell, flat } = place, tall = side * rows / columns;
    for (let row = 0; row < 4; row++) for (let j = 0; j < (few ? nh : 1); j++) {
      const [x0, y0] = place.tile(row, j), r = Math.floor((y - y0) / tall * rows), c = Math.floor((x - x0) / side * columns);
      const unit = few ? j : unitOf() ?? 0;
      if (r < 0 || c < 0 || r >= rows || c >= columns || r * columns + c >= nv) continue;
      return lab.choose(cellIsLarge() ? { pick: 'w', index: (r * columns + c) * nh + unit } : { pick: 'h', index: unit });
    }
    for (let j = 0; j < nh; j++) {
      const [x0, y0] = place.hidden(j);
      if (Math.hypot(x - x0, y - y0) < Math.max(radius + 3, few ? 14 : 0)) return lab.choose({ pick: 'h', index: j });
    }
    let best = [.75];
    for (let q = 0; q < nv; q++) {
      const [x0, y0] = place.pixel(q), far = Math.hypot((x - x0) / cell, (y - y0) / flat);
      if (far < best[0]) best = [far, q];
    }
    if (best.length > 1) return lab.choose({ pick: 'v', index: best[1] });
    const hit = nearestEdge(x, y);
    if (hit) lab.choose({ pick: 'w', index: hit[0] * nh + hit[1] });
  };
  const cellIsLarge = () => place.side / columns >= 8;
  const nearestEdge = (x, y) => {
    let best = [6];
    const units = unitOf() !== null ? [unitOf()] : [...Array(nh).keys()], pixels = pixelOf() !== null && lab.chosen.pick === 'v' ? [pixelOf()] : [...Array(nv).keys()];
    for (const j of units) for (const q of pixels) {
      const [x0, y0] = place.pixel(q), [x1, y1] = place.hidden(j), [dx, dy] = [x1 - x0, y1 - y0];
      const t = clamp(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy));
      const far = Math.hypot(x - x0 - t * dx, y - y0 - t * dy);
      if (far < best[0]) best = [far, q, j];
    }
    return best.length > 1 ? best.slice(1) : undefined;
  };
  canvas.onkeydown = (event) => {
    const { pick, index } = lab.chosen, wide = pick === 'h' ? (few ? nh : place.across) : columns, by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -wide, ArrowDown: wide }[event.key];
    if (!by) return;
    const [unit, count] = pick === 'w' ? [nh, nv * nh] : [1, pick === 'h' ? nh : nv], to = index + by * unit;
    if (to >= 0 && to < count) lab.choose({ pick, index: to });
    event.preventDefault();
  };

  const icon = (ink, i, x, y, side, theme) => {
    const phase = phases[i], picture = { data: phase.v, start: phase.v, visible: phase.v }[phase.kind];
    if (phase.folded) return `… ${Math.round(phase.folded / 2)} more …`;
    if (!picture) return { hidden: 'h', end: 'p(h)', difference: 'G', offsets: 'μ, λ', centred: 'G', equalised: 'G', new: 'W' }[phase.kind];
    tile(ink, picture, columns, x, y, side, gray, theme.line);
    return '';
  };
  return { seconds, stage, picks, rows: true, layout, draw, icon, sum };
};
