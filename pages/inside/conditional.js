// An update of a conditional model: the damaged picture goes in from below and moves every bias; hidden units stand
// above the pixels. What is set against what, and the tables of the one unit that is chosen, are pictures above all.

const GIVEN_PACE = { given: 3.5, clamped: 3, start: 2, hidden: 3, visible: 3, energy: 3, augmented: 3.5, begin: 2,
  iteration: 3, free: 2.5, difference: 4, error: 4, new: 2.5 };
const GIVEN_ICONS = { hidden: 'h', augmented: '±1', energy: 'F', difference: 'G', error: 'G', new: 'W' };
const GIVEN_FOLD = 3;                             // seconds in which what is folded flies past
const GIVEN_ABREAST = 6;                          // half steps or rounds that take their time; those of more hurry

// A block of a sum: numbers in a row, one of them marked; `line` is drawn across, on a logarithmic scale or not.
// points : [[x, y]] in the order of x
const courseOf = ({ name, points, mark, line, log = false, low, high, ends }) => {
  const size = log ? (y) => Math.log10(Math.max(y, 1e-9)) : (y) => y;
  return {
    height: 122, text: `${name}: ${points.map(([x, y]) => `${x}: ${Number(y.toPrecision(3))}`).join(', ')}`,
    draw: (ink, theme, width, top) => {
      const [x0, y0, wide, tall] = [46, top + 24, width - 62, 74], [from, to] = [points[0][0], points.at(-1)[0]];
      const px = (x) => x0 + wide * (x - from) / Math.max(to - from, 1);
      const py = (y) => y0 + tall * (1 - clamp((size(y) - size(low)) / Math.max(size(high) - size(low), 1e-9)));
      say(ink, theme, name, 0, top + 8, { weight: 600, size: 12, room: width });
      Object.assign(ink, { strokeStyle: theme.line, lineWidth: 1 });
      ink.strokeRect(x0 + .5, y0 + .5, wide, tall);
      const small = { size: 11, colour: theme.soft };
      for (const y of [low, high]) say(ink, theme, ends(y), x0 - 6, py(y), { ...small, align: 'right' });
      for (const x of from === to ? [from] : [from, to]) say(ink, theme, `${x}`, px(x), y0 + tall + 11,
        { ...small, align: 'center' });
      if (line !== undefined) {
        Object.assign(ink, { strokeStyle: theme.soft, lineWidth: 1 });
        ink.setLineDash([4, 3]);
        ink.beginPath(); ink.moveTo(x0, py(line[1])); ink.lineTo(x0 + wide, py(line[1])); ink.stroke();
        ink.setLineDash([]);
        say(ink, theme, line[0], x0 + wide - 4, py(line[1]) + (py(line[1]) < y0 + 16 ? 9 : -8),
          { ...small, align: 'right' });
      }
      Object.assign(ink, { strokeStyle: theme.text, lineWidth: 2 });
      ink.beginPath();
      points.forEach(([x, y], k) => ink[k ? 'lineTo' : 'moveTo'](px(x), py(y)));
      ink.stroke();
      for (const [x, y] of points) {
        ink.fillStyle = x === mark ? theme.chosen : theme.text;
        ink.beginPath(); ink.arc(px(x), py(y), x === mark ? 5 : 2.5, 0, 7); ink.fill();
      }
    },
  };
};

DRAWN.conditional = (trace, lab) => {
  const { phases, models, shape } = trace, [nv, nh] = models[0].W.dims, nx = models[0].W_vx.dims[1];
  const { rate, tolerance } = trace.values, given = phases[0], clean = given.v, { x } = given, same = nx === nv;
  const find = (...kinds) => phases.findIndex(({ kind }) => kinds.includes(kind));
  const [clamped, gap, end, bonus] = [find('clamped'), find('difference', 'error'), find('free'), find('augmented')];
  const layered = clamped >= 0, free = phases[end], moved = phases.at(-1);
  const columns = shape ? shape[1] : Math.min(nv, 8), inputs = same ? columns : Math.min(nx, 8);
  const whole = layered && !models[0].W.missing && nv * nh <= 160;
  const long = phases.filter(({ kind }) => ['hidden', 'visible', 'iteration'].includes(kind)).length;
  const seconds = phases.map(({ kind, folded }) => folded ? GIVEN_FOLD
    : GIVEN_PACE[kind] * (['hidden', 'visible', 'iteration'].includes(kind) ? clamp(GIVEN_ABREAST / long, .35, 1) : 1));
  const most = Object.fromEntries(['W', 'W_vx', 'W_hx'].map((name) => [name, {
    W: largest(lab.traces.flatMap((each) => each.models.map((model) => model[name].most))),
    G: largest(lab.traces.map((each) => each.phases.at(-1)[name].most / each.values.rate)) }]));
  const biases = largest(given.b, bonus < 0 ? [] : phases[bonus].b);
  const strong = (some) => some.reduce((best, value, k) => Math.abs(value) > Math.abs(some[best]) ? k : best, 0);

  // The units that there is most to tell of: where clamped and free differ most, in the row or else in the mini-batch.
  const tellingOf = (row, bias) => strong(largest(row) > .01 ? row : bias);
  const telling = { v: tellingOf(free.v.map((value, q) => value - clean[q]), moved.b_v),
    h: layered ? tellingOf(free.h.map((value, j) => value - free.data_h[j]), moved.b_h) : 0 };
  const steepest = (name) => moved[name].missing ? undefined : strong(moved[name]);

  const canvas = made('canvas', 'picture', { tabIndex: 0, role: 'application' });
  const thing = shape ? 'pixel' : 'column', nameOfInput = (k) => same ? nameOfPixel(trace, k) : `number ${k + 1}`;
  const briefInput = (k) => `x ${same ? briefPixel(trace, k) : k + 1}`;
  const picks = [['h', 'hidden unit', nh, () => `of ${nh}`, () => telling.h],
    ['v', thing, nv, (q) => nameOfPixel(trace, q), () => telling.v],
    ['w', 'weight', nv * nh, (k) => `between ${nameOfPixel(trace, Math.floor(k / nh))} and ${nameOfUnit(k % nh)}`,
      () => steepest('W') ?? telling.v * nh + telling.h],
    ['i', `input to ${thing}`, nv * nx,
      (k) => `from x at ${nameOfInput(k % nx)} to ${nameOfPixel(trace, Math.floor(k / nx))}`,
      () => steepest('W_vx') ?? telling.v * nx],
    ['g', 'input to hidden unit', nh * nx,
      (k) => `from x at ${nameOfInput(k % nx)} to ${nameOfUnit(Math.floor(k / nx))}`,
      () => steepest('W_hx') ?? telling.h * nx]]
    .filter(([pick]) => layered || 'vi'.includes(pick));
  const selector = lookAt(lab, picks), stage = made('div', 'stage', {}, canvas, selector.line);
  lab.chosen ??= layered ? { pick: 'h', index: telling.h } : { pick: 'v', index: telling.v };
  const unitOf = ({ pick, index } = lab.chosen) =>
    ({ h: index, w: index % nh, g: Math.floor(index / nx) })[pick];
  const pixelOf = ({ pick, index } = lab.chosen) =>
    ({ v: index, w: Math.floor(index / nh), i: Math.floor(index / nx) })[pick];
  const inputOf = ({ pick, index } = lab.chosen) => 'ig'.includes(pick) ? index % nx : undefined;
  const levelOf = levelsOf();
  let place;

  // -- the numbers ----------------------------------------------------------------------------------------
  const line = (where, i, name, axis, k) => i < 0 ? undefined : taken(trace, where, i, name, axis, 0, k, lab.redraw);
  const column = (where, i, name, j) => i < 0 ? undefined : taken(trace, where, i, name, 'h', 1, j, lab.redraw);
  // Whose weights the tables are of: a hidden unit's to the pixels, or those of the input to a pixel or a hidden unit.
  const subject = () => {
    const { pick } = lab.chosen, [j, q] = [unitOf(), pixelOf()];
    if (pick === 'h' || pick === 'w') return { name: 'W', part: 'W', wide: columns, mark: q, of: nameOfUnit(j),
      to: shape ? 'the pixels' : 'the columns', get: (where, i, name) => column(where, i, name, j) };
    const [name, axis, k] = pick === 'g' ? ['W_hx', 'h', j] : ['W_vx', 'v', q];
    return { name, part: name.slice(2), wide: inputs, mark: inputOf(), to: 'the input',
      of: pick === 'g' ? nameOfUnit(j) : nameOfPixel(trace, q),
      get: (where, i, array) => line(where, i, array, axis, k) };
  };
  const gaps = new WeakMap();
  const minus = (a, b) => {
    if (!a || !b) return undefined;
    if (!gaps.has(a)) gaps.set(a, Float32Array.from(a, (value, k) => value - b[k]));
    return gaps.get(a);
  };
  // A pixel's own input outweighs all others: its weights are drawn on the scale of the others.
  const scaleOf = (name, q) => {
    if (name !== 'W_vx' || !same) return most[name].W;
    const lines = lab.traces.flatMap((each) => each.models.map((_, m) =>
      taken(each, 'models', m, name, 'v', 0, q, lab.redraw)));
    return largest(...lines.filter(Boolean).map((weights) => weights.map((w, k) => k === q ? 0 : w)));
  };
  // The four tables in phase i: [name, numbers or nothing yet, limit].
  const tables = (i) => {
    const { name, part, get } = subject(), { at } = phases[i], late = i >= gap;
    const [a, b] = late ? [get('phases', gap, `data_${part}`), get('phases', gap, `model_${part}`)] : [];
    return [['clamped', a, 1], ['− free', b, 1], ['= G', minus(a, b), most[name].G],
      [at ? 'new weights' : 'weights', get('models', at, name), scaleOf(name, pixelOf())]];
  };
  const says = given.b.map(sigma), tells = given.c.map(sigma), lured = bonus < 0 ? says : phases[bonus].b.map(sigma);
  const unlike = minus(clean, free.v);
  // The beliefs, or the state, that phase i begins with.
  const before = (i) => {
    for (let k = i - 1; k >= 0; k--) {
      const { kind, v, h } = phases[k];
      if (v && kind !== 'given' && kind !== 'clamped') return { v, h };
    }
    return { v: phases[i].kind === 'hidden' ? clean : bonus >= 0 && i > bonus ? lured : says, h: tells };
  };
  const blend = (from, to, f) => f <= 0 ? from : f >= 1 ? to
    : Float32Array.from(to, (value, k) => from[k] + (value - from[k]) * f);

  // What the units show when the share f of phase i is over; flow : from where something goes: x, v or h.
  const scene = (i, f) => {
    const phase = phases[i], { kind } = phase;
    if (phase.folded) {
      const look = phase.looks[Math.min(phase.looks.length - 1, Math.floor(f * phase.looks.length))], old = before(i);
      return { v: look.v ?? old.v, h: look.h ?? old.h, name: 'what the model thinks' };
    }
    if (kind === 'given') {
      const g = ease(f, .45, .8), nothing = says.map(() => 0);
      return { v: blend(nothing, says, g), h: tells.map((p) => p * g), flow: 'x', name: 'what the input alone says' };
    }
    if (kind === 'clamped') {
      return { v: clean, h: blend(tells, free.data_h, ease(f, .45, .8)), flow: 'v', name: 'the clean row, held fast' };
    }
    const old = before(i), known = ease(f, .3, .5), done = ease(f, .85, .95), name = 'what the model thinks';
    if (kind === 'hidden') {
      const h = phase.p.map((p, j) => p * known * (1 - done) + phase.h[j] * done);
      return { v: phase.v, h, u: phase.u, shown: ease(f, .55, .7) * (1 - ease(f, .96, 1)), flow: 'v', name };
    }
    if (kind === 'visible' || kind === 'start') {
      const v = phase.p.map((p, q) => (old.v[q] * (1 - known) + p * known) * (1 - done) + phase.v[q] * done);
      return { v, h: phase.h ?? tells, flow: kind === 'start' ? 'x' : 'h', name };
    }
    if (kind === 'augmented') return { v: blend(says, lured, ease(f, .4, .8)), h: tells, name: 'the biases’ say' };
    if (kind === 'begin') return { v: phase.v, h: phase.h, flow: 'x', name };
    if (kind === 'iteration') {
      return { v: blend(old.v, phase.v, ease(f, .25, .45)), h: blend(old.h, phase.h, ease(f, .75, .95)), name,
        flow: f < .5 ? 'h' : 'v', g: f < .5 ? ease(f, .02, .4) : ease(f, .5, .85) };
    }
    if (kind === 'free') {
      const g = ease(f, .1, .5);
      return { v: blend(old.v, free.v, g), h: free.h && blend(old.h ?? free.h, free.h, g), name: 'the model’s answer' };
    }
    return kind === 'energy' ? { v: old.v, h: old.h ?? tells, name: 'the last sample' }
      : { v: free.v, h: free.h, name: 'the model’s answer' };
  };

  // -- drawing --------------------------------------------------------------------------------------------
  const layout = (width) => {
    const abreast = width >= 600, rows = (some, wide) => Math.ceil(some / wide) / wide;
    const tall = (side) => side * Math.max(rows(nv, columns), rows(nx, inputs));
    const [a, b] = abreast ? [Math.min((width - 96) / 9, 96), Math.min((width - 96) / 9, 96)]
      : [(width - 28) / 5, (width - 22) / 4];
    const second = abreast ? 38 : 22 + tall(a) + 60;
    const spots = Array.from({ length: 9 }, (_, k) => k < 5 ? [k * (a + (abreast ? 8 : 6)) + 1, abreast ? 38 : 22, a]
      : abreast ? [k * (a + 8) + 29, second, b] : [(k - 5) * (b + 6) + 1, second, b]);
    const above = second + tall(b) + 26, wide = Math.min(width * .62, 300, 72 * columns);
    const left = (width - wide) / 2, net = layered ? networkOf({ nv, nh, columns, width, above, wide })
      : leaningOf({ count: nv, columns, wide, left, top: above + 8 });
    const below = leaningOf({ count: nx, columns: inputs, wide, left, top: net.bottom + 44 });
    place = { ...net, width, abreast, spots, tall, below, height: below.bottom + 26 };
  };
  const drawSpot = (ink, theme, k, name, values, wide, colour, { shown = 1, note, limit, align = 'center' } = {}) => {
    const [x0, y0, side] = place.spots[k];
    say(ink, theme, name, x0, y0 - 10, { size: 11, room: side + 4 });
    if (note) say(ink, theme, note, x0, y0 - 28, { size: 12, weight: 600, room: place.width - x0 });
    ink.globalAlpha = shown;
    if (values) tile(ink, values, wide, x0, y0, side, colour, theme.line);
    ink.globalAlpha = 1;
    const under = { size: 11, colour: theme.soft, align }, middle = align === 'right' ? side : side / 2;
    if (limit && values) say(ink, theme, limit, x0 + middle, y0 + place.tall(side) + 10, under);
    if (values && shown > .05) return;
    Object.assign(ink, { strokeStyle: theme.line, lineWidth: 1 });
    ink.setLineDash([2, 3]);
    ink.strokeRect(x0 - .5, y0 - .5, side + 1, place.tall(side) + 1);
    ink.setLineDash([]);
  };
  const drawMark = (ink, theme, k, cell, wide) => {
    if (cell === undefined) return;
    const [x0, y0, side] = place.spots[k], size = side / wide;
    Object.assign(ink, { strokeStyle: theme.chosen, lineWidth: 2 });
    ink.strokeRect(x0 + (cell % wide) * size - 1, y0 + Math.floor(cell / wide) * size - 1, size + 2, size + 2);
  };
  const drawSpots = (ink, theme, i, f, seen) => {
    const { kind } = phases[i], { name: table, wide, mark, of, to } = subject(), q = pixelOf();
    const own = table === 'W_vx' && same;
    const blue = (limit) => signedBy(limit, theme);
    const answers = i > Math.max(clamped, 0) && kind !== 'augmented', over = kind === 'free' ? ease(f, .5, .9) : 1;
    const b = bonus >= 0 && i >= bonus && i <= end ? phases[bonus].b : given.b;
    drawSpot(ink, theme, 0, 'input x', x, inputs, gray, { note: place.abreast && 'One row' });
    drawSpot(ink, theme, 1, b === given.b ? 'bias b(x)' : 'with bonus', i ? b : given.b, columns, blue(biases),
      { shown: i ? 1 : ease(f, .5, .85), limit: `±${biases.toPrecision(2)}` });
    drawSpot(ink, theme, 2, 'clean', clean, columns, gray);
    drawSpot(ink, theme, 3, 'model', answers ? seen.v : undefined, columns, gray);
    const left = place.abreast ? 'clean − model' : 'difference', known = i >= end ? unlike : undefined;
    drawSpot(ink, theme, 4, left, known, columns, blue(1), { shown: over, limit: '±1' });
    for (const k of [0, 1, 2, 3, 4]) drawMark(ink, theme, k, k || same ? pixelOf() : undefined, k ? columns : inputs);
    const note = `${of} and ${to}${i >= gap ? ', over the mini-batch' : ''}`;
    tables(i).forEach(([name, values, limit], k) => {
      const shown = i === gap ? ease(f, k < 2 ? .05 : .3, k < 2 ? .25 : .5) : 1;
      const apart = k === 3 && own && values ? `, own ${told(values[q], 1)}` : '';
      drawSpot(ink, theme, 5 + k, name, values, wide, blue(limit), { shown: k < 3 ? shown : 1, note: k ? '' : note,
        limit: k < 2 ? '0 to 1' : `±${limit.toPrecision(2)}${apart}`, align: apart ? 'right' : 'center' });
      if (values) drawMark(ink, theme, 5 + k, mark, wide);
    });
  };
  const fromInput = (kind) => !layered || 'ig'.includes(lab.chosen.pick)
    || ['given', 'start', 'augmented', 'begin'].includes(kind);
  const drawEdges = (ink, theme, i, f, { v, h, flow, g = ease(f, .02, .4) }) => {
    if (phases[i].folded) return;
    const { kind, at } = phases[i], [j0, q0] = [unitOf(), pixelOf()], { still } = lab;
    const last = i >= gap, below = fromInput(kind);
    const flash = i === gap ? ease(f, .35, .6) : kind === 'new' ? 1 - ease(f, .4, 1) : 0;
    const name = !below ? 'W' : q0 === undefined ? 'W_hx' : 'W_vx', limit = most[name];
    const of = (where, k, array) => !below && j0 !== undefined ? column(where, k, array, j0)
      : q0 === undefined ? line(where, k, array, 'h', j0) : line(where, k, array, 'v', q0);
    const scale = scaleOf(name, q0), W = of('models', at, name);
    const step = last ? of('phases', phases.length - 1, name) : undefined;
    if (!W) return;
    const ends = (k) => {
      const [hx, hy] = place.hidden?.(below ? j0 ?? 0 : j0 ?? k) ?? [], up = [hx, hy + place.radius];
      return below ? [place.below.pixel(k), q0 === undefined ? up : place.pixel(q0)]
        : [place.pixel(j0 === undefined ? q0 : k), up];
    };
    const mine = below ? inputOf() : lab.chosen.pick !== 'w' ? undefined : q0;
    const draw = (from, to, value, options) => drawEdge(ink, theme, from, to, value, { ...options, cell: place.cell });
    if (whole && !below) {
      const all = models[at].W;
      for (let q = 0; q < nv; q++) for (let j = 0; j < nh; j++) {
        if (j === j0 || q === q0) continue;
        const [hx, hy] = place.hidden(j), value = all[q * nh + j] / most.W.W * (1 - flash)
          + moved.W[q * nh + j] / rate / most.W.G * flash;
        const busy = !flow || flow === 'x' || (flow === 'v' ? v[q] : h[j]) > .5;
        draw(place.pixel(q), [hx, hy + place.radius], value, { chosen: false, busy });
      }
    }
    const least = levelOf(flash > .5 ? step : W);
    W.forEach((w, k) => {
      if (Math.abs(flash > .5 ? step[k] : w) < least && k !== mine) return;
      const pulled = flash ? step[k] / rate / limit.G : 0, [from, to] = ends(k);
      const value = clamp(w / scale, -1, 1) * (1 - flash) + pulled * flash;
      const [q, j] = j0 === undefined ? [q0, k] : [k, j0];
      const source = below ? x[k] : !flow || flow === 'x' ? 1 : flow === 'v' ? v[q] : h[j], busy = last || source > .5;
      draw(from, to, value, { chosen: mine === undefined || k === mine, busy });
      if (flow && busy && !still && (flow === 'x') === below) {
        drawMessage(ink, theme, from, to, clamp(w / scale, -1, 1), flow === 'h' ? 1 - g : g);
      }
    });
  };
  const drawBonus = (ink, theme, f) => {
    phases[bonus].b.forEach((b, q) => {
      if ((b > 0) === (given.b[q] > 0)) return;
      const [px, py] = place.pixel(q), r = clamp(place.cell / 5, 1.5, 5) * ease(f, .5, .8);
      ink.fillStyle = signed(b > 0 ? 1 : -1, 1, theme);
      ink.beginPath(); ink.arc(px, py, r, 0, 7); ink.fill();
      Object.assign(ink, { strokeStyle: '#fff', lineWidth: .75 });
      ink.stroke();
    });
  };
  const drawHidden = (ink, theme, { h, u, shown }) => {
    const { radius, step, few } = place, mine = unitOf();
    for (let j = 0; j < nh; j++) {
      const [hx, hy] = place.hidden(j);
      drawGauge(ink, theme, hx, hy, radius, h?.[j] ?? 0, j === mine);
      if (u && shown > 0) drawChance(ink, theme, hx, hy, radius, u[j], shown);
      if (few && step > 64) say(ink, theme, nameOfUnit(j), hx + radius + 5, hy, { colour: theme.soft, size: 12 });
    }
  };
  const draw = (i, f, theme) => {
    const ink = sharp(canvas, place.width, place.height), seen = scene(i, f), small = { colour: theme.soft, size: 12,
      align: 'center' };
    drawSpots(ink, theme, i, f, seen);
    drawPixels(ink, theme, place.below, x, inputOf() ?? (same ? pixelOf() : undefined));
    drawPixels(ink, theme, place, seen.v, pixelOf());
    drawEdges(ink, theme, i, f, seen);
    if (i === bonus) drawBonus(ink, theme, f);
    if (layered) drawHidden(ink, theme, seen);
    say(ink, theme, `${shape ? 'pixels' : 'columns'}: ${seen.name}`, place.width / 2, place.bottom + 13, small);
    say(ink, theme, 'input x: the damaged picture', place.width / 2, place.below.bottom + 13, small);
    selector.show();
  };

  // -- the arithmetic -------------------------------------------------------------------------------------
  const coming = (title) => ({ title, verdict: 'Its numbers are on their way.', blocks: [] });
  const added = (first, terms, result) => ({ terms: [...first, ...strongest(terms, MOST_TERMS)], ...result });
  const percent = (p) => p.toFixed(3);
  // What a unit gets before any other unit speaks: its bias, what the input gives, and the bonus.
  const ofBiases = (i, q) => {
    const row = line('models', 0, 'W_vx', 'v', q), bias = models[0].b_v[q], own = same && row ? row[q] * x[q] : 0;
    const more = bonus >= 0 && i >= bonus ? [{ name: 'bonus', value: 1 - 2 * clean[q] }] : [];
    const mine = same ? [{ name: `own input: ${x[q] > .5 ? 'on' : 'off'}`, value: own }] : [];
    return row && [{ name: 'bias b', value: bias }, ...mine,
      { name: same ? 'other inputs' : 'inputs', value: given.b[q] - bias - own }, ...more];
  };
  const ofHiddenBiases = (j) =>
    [{ name: 'bias c', value: models[0].b_h[j] }, { name: 'input', value: given.c[j] - models[0].b_h[j] }];
  const moving = (value) => `this row moves its bias ${value > 0 ? 'up' : 'down'}`;
  // How a belief, and the largest change of any, went on until phase i.
  const courses = (i, layer, k) => {
    const past = phases.slice(0, i + 1).flatMap((each) => each.folded ? each.looks : each.residuals ? [each] : []);
    const points = past.map((each) => [each.residuals.length, each[layer][k]]), { residuals } = phases[i];
    const mark = residuals.length, ends = (y) => Number(y.toPrecision(1)).toString();
    const belief = courseOf({ name: 'Belief that it is on, round by round', points, mark, low: 0, high: 1, ends });
    if (!mark) return [];
    const low = Math.max(Math.min(tolerance || 1, ...residuals.filter((y) => y > 0)) / 2, 1e-6);
    return [belief, courseOf({ name: 'Largest change of any belief', mark, log: true, low, high: 1, ends,
      points: Array.from(residuals, (y, t) => [t + 1, y]), line: tolerance ? ['tolerance', tolerance] : undefined })];
  };
  // What unit k of a layer believes: its biases, what the other layer tells it, and the log-odds that these make.
  const believed = (i, layer, k, name, first, from) => {
    const phase = phases[i], p = phase[layer][k], was = phase.residuals.length ? before(i)[layer][k] : undefined;
    const title = `What is believed of ${name}`, array = `to_${layer}_W`, fields = phase[`field_${layer}`];
    const messages = !phase[array] ? []
      : layer === 'v' ? line('phases', i, array, 'v', k) : column('phases', i, array, k);
    if (!messages) return coming(title);
    const terms = Array.from(messages, (value, at) => ({ ...from(at), value })).filter(({ value }) => value);
    const blocks = fields ? [added(first, terms, { result: 'log-odds', field: fields[k] })] : [];
    const [then, now] = [was ?? p, p].map((chance) => isChance(chance).replace('= ', ''));
    const words = was === undefined || phase.folded ? `believed to be on with ${now}`
      : `the belief that it is on was ${then} and is ${now}`;
    const truth = layer === 'v' ? ` In the clean row it is ${clean[k] ? 'on' : 'off'}.` : '';
    const large = fields ? '' : ' The model is too large to keep messages here: Denoise & complete tells a pixel’s.';
    return { title, verdict: `${name}: ${words}.${truth}${large}`, blocks: [...blocks, ...courses(i, layer, k)] };
  };
  const ofEnergy = (i) => {
    const { energy, taken: [best] } = phases[i], [own, ...samples] = energy, lowest = Math.min(...samples);
    const mark = best || samples.indexOf(lowest) + 1, apart = Math.abs(lowest - own), far = apart.toFixed(2);
    const again = clean.every((on, q) => on === free.v[q]), above = apart < .005 ? 'no lower than' : `${far} above`;
    const verdict = !best ? `Even the lowest, sample ${mark}, lies ${above} the clean row: this row makes no step.`
      : again ? `Sample ${best} is the clean row again, lower by rounding alone: nothing is to be learnt from it.`
        : apart < .005 ? `Sample ${best} lies lowest, a hair below the clean row, and is set against it.`
          : `Sample ${best} lies lowest, ${far} below the clean row: to the model it is e^${far} times as probable, `
            + 'and is set against the clean row.';
    const [low, high] = [Math.min(...energy), Math.max(...energy)];
    const chart = courseOf({ name: 'Sample by sample', points: samples.map((y, k) => [k + 1, y]), mark,
      line: ['clean row', own], low, high, ends: (y) => told(y, 1).replace('+', '') });
    return { title: 'Free energy: the lower, the likelier', verdict, blocks: [chart] };
  };
  const grids = (i, title, bias) => {
    const { wide } = subject(), step = told(bias, 4);
    const has = phases[i].kind === 'new' ? 'has moved' : 'will move';
    return { title, blocks: [gridsOf(tables(i), wide)], verdict: `Each weight ${has} by η G, with η = ${rate}; the `
      + `bias by ${step}. Click one in a small table: why it moves.` };
  };
  const ofUnit = (i, j, marked) => {
    const phase = phases[i], { kind, at, folded } = phase, name = nameOfUnit(j), W = column('models', at, 'W', j);
    if (!W) return coming(name);
    const title = `What ${name} adds up`, first = ofHiddenBiases(j);
    const up = (v) => [...v.keys()].filter((q) => v[q] > 0)
      .map((q) => ({ name: briefPixel(trace, q), value: W[q] * v[q], chosen: q === marked }));
    if (kind === 'given') {
      const row = line('models', 0, 'W_hx', 'h', j);
      if (!row) return coming(title);
      const terms = [...row.keys()].filter((k) => x[k] && row[k])
        .map((k) => ({ name: briefInput(k), value: row[k] * x[k] }));
      return { title: `The bias c(x) of ${name}`,
        blocks: [added([first[0]], terms, { result: 'c(x)', field: given.c[j] })],
        verdict: `The input moves its bias by ${told(given.c[j] - models[0].b_h[j])}. By that alone it would be on `
          + `with p ${isChance(tells[j])}.` };
    }
    if ((kind === 'clamped' || kind === 'hidden') && !folded) {
      const field = phase.field?.[j] ?? [...first, ...up(phase.v)].reduce((sum, { value }) => sum + value, 0);
      const u = phase.u?.[j], data = kind === 'clamped' ? free.data_h[j] : undefined;
      const rounded = data !== undefined && (data === 0 || data === 1) && Math.abs(data - phase.p[j]) > 1e-6;
      return { title, blocks: [added(first, up(phase.v), { result: 'sum', field, u })],
        verdict: rounded ? `p = σ(${told(field)}) ${isChance(phase.p[j])}: it counts as ${data ? 'on' : 'off'}.`
          : decided(field, phase.p[j], u, name) };
    }
    if (kind === 'begin' || kind === 'iteration') {
      return believed(i, 'h', j, name, first, (q) => ({ name: `${briefPixel(trace, q)} says`, chosen: q === marked }));
    }
    if (kind === 'free') {
      const [a, b] = [free.data_h[j], free.h[j]];
      return { title: `${name}: clamped minus free`, blocks: [{ terms: [{ name: 'clamped', value: a },
        { name: '− free', value: -b }], result: 'difference' }], verdict: Math.abs(a - b) < 5e-4
        ? `It answers both alike: this row does not move its bias.`
        : `On with ${percent(a)} beside the clean row, with ${percent(b)} in the model’s answer: ${moving(a - b)}.` };
    }
    if (i >= gap) return grids(i, `The weights of ${name}`, moved.b_h[j]);
    const verdict = folded ? 'These steps fly past.'
      : kind !== 'visible' ? `Here it is about pixels alone; ${name} waits.`
        : `${name} is ${phase.h[j] ? 'on: it adds these weights to the pixels' : 'off: no pixel hears of it'}.`;
    return { title: `The weights of ${name}`, verdict, blocks: [gridsOf([['weights', W, most.W.W]], columns)] };
  };
  const ofPixel = (i, q, marked) => {
    const phase = phases[i], { kind, folded } = phase, name = nameOfPixel(trace, q), first = ofBiases(i, q);
    if (!first) return coming(name);
    const title = `What ${name} adds up`, weights = layered ? line('models', 0, 'W', 'v', q) : undefined;
    if (layered && !weights) return coming(title);
    const down = (h) => [...h.keys()].filter((j) => h[j] > 0)
      .map((j) => ({ name: nameOfUnit(j), value: weights[j] * h[j], chosen: j === marked }));
    if (kind === 'given') {
      const row = line('models', 0, 'W_vx', 'v', q), [bias, own] = first;
      const terms = [...row.keys()].filter((k) => x[k] && row[k] && !(same && k === q))
        .map((k) => ({ name: briefInput(k), value: row[k] * x[k], chosen: k === marked }));
      return { title: `The bias b(x) of ${name}`,
        blocks: [added(same ? [bias, own] : [bias], terms, { result: 'b(x)', field: given.b[q] })],
        verdict: `By the input alone it would be on with p ${isChance(says[q])}. In the clean row it is `
          + `${clean[q] ? 'on' : 'off'}.` };
    }
    if (kind === 'augmented') {
      const [way, wrong] = clean[q] ? ['taken from', 'off'] : ['added to', 'on'];
      return { title, blocks: [{ terms: first, result: 'with bonus', field: phase.b[q] }],
        verdict: `It is ${clean[q] ? 'on' : 'off'} in the clean row, so ${wrong} is rewarded: 1 is ${way} its bias.` };
    }
    if (kind === 'start') {
      return { title, blocks: [{ terms: first, result: 'b(x)', field: given.b[q], u: phase.u[q] }],
        verdict: decided(given.b[q], phase.p[q], phase.u[q], 'it') };
    }
    if (kind === 'visible' && !folded) {
      return { title, blocks: [added(first, down(phase.h), { result: 'sum', field: phase.field[q], u: phase.u[q] })],
        verdict: decided(phase.field[q], phase.p[q], phase.u[q], 'it') };
    }
    if (kind === 'begin' || kind === 'iteration') {
      return believed(i, 'v', q, name, first, (j) => ({ name: `${nameOfUnit(j)} says`, chosen: j === marked }));
    }
    if (kind === 'free') {
      const [a, b] = [clean[q], free.v[q]], here = b === 0 ? 'off' : b === 1 ? 'on' : `on with ${percent(b)}`;
      return { title: `${name}: clean minus model`, blocks: [{ terms: [{ name: 'clean', value: a },
        { name: '− model', value: -b }], result: 'difference' }], verdict: Math.abs(a - b) < 5e-4
        ? 'The model has it right: this row moves neither its bias nor its input weights.'
        : `${a ? 'On' : 'Off'} in the clean row, ${here} in the model’s answer: ${moving(a - b)}.` };
    }
    if (i >= gap) return grids(i, `How ${name} hears the input`, moved.b_v[q]);
    const verdict = kind === 'clamped' ? `It is ${clean[q] ? 'on: each hidden unit gets its weight'
      : 'off: no hidden unit gets its weight'}.` : folded ? 'These steps fly past.'
      : 'Here it is about hidden units: each gets the weights of the pixels that are on.';
    const each = [...weights].map((value, j) => ({ name: nameOfUnit(j), value, chosen: j === marked }));
    return { title: `The weights of ${name}`, verdict,
      blocks: [{ terms: strongest(each, MOST_TERMS), result: 'in all' }] };
  };
  // How one weight came to its new value: a and b are how often its two ends are on together, clamped and free.
  const ofStep = (title, i, ends) => {
    const { name, part, get, mark } = subject(), of = (where, k, array) => get(where, k, array)?.[mark];
    const [a, b] = [of('phases', gap, `data_${part}`), of('phases', gap, `model_${part}`)], old = of('models', 0, name);
    if (a === undefined || b === undefined || old === undefined) return coming(title);
    const way = a > b ? ['grows', 'more'] : ['shrinks', 'less'];
    const verdict = Math.abs(a - b) < 5e-4
      ? `It hardly moves: ${ends} are on together as often when clamped as when free (${percent(a)}).`
      : `It ${way[0]}: ${ends} are on together ${way[1]} often with the clean rows (${percent(a)}) than with the `
        + `model’s answers (${percent(b)}).`;
    const terms = [{ name: 'W before', value: old }, { name: 'η · clamped', value: rate * a },
      { name: '−η · free', value: -rate * b }];
    return { title, verdict, blocks: [{ terms, result: 'W after', digits: 4 }] };
  };
  const sumOf = (i) => {
    const { kind } = phases[i], { pick } = lab.chosen, [j, q, k] = [unitOf(), pixelOf(), inputOf()];
    if (kind === 'energy') return ofEnergy(i);
    if (i < gap || pick === 'h' || pick === 'v') {
      const up = pick === 'h' || pick === 'g' || (pick === 'w' && ['clamped', 'hidden'].includes(kind));
      return up ? ofUnit(i, j, q) : ofPixel(i, q, k ?? j);
    }
    const [a, b] = [nameOfPixel(trace, q ?? 0), nameOfUnit(j ?? 0)];
    if (pick === 'w') return ofStep(`The weight of ${a} and ${b}`, i, 'both');
    const from = `x at ${nameOfInput(k)}`, to = pick === 'i' ? a : b;
    return ofStep(`The weight from ${from} to ${to}`, i, `${from} and ${to}`);
  };
  const sum = (i) => {
    const found = sumOf(i);
    canvas.ariaLabel = `The network and its input. ${found.title}: ${found.verdict} Arrow keys choose another.`;
    return found;
  };

  // -- choosing -------------------------------------------------------------------------------------------
  const spotAt = (mx, my) => {
    const { pick } = lab.chosen, [j, q] = [unitOf(), pixelOf()], { wide, part } = subject();
    for (const [k, [x0, y0, side]] of place.spots.entries()) {
      const across = k > 4 ? wide : k ? columns : inputs, size = side / across;
      const count = (k > 4 ? part !== 'W' : !k) ? nx : nv;
      const [c, r] = [Math.floor((mx - x0) / size), Math.floor((my - y0) / size)], cell = r * across + c;
      if (c < 0 || r < 0 || c >= across || cell >= count) continue;
      if (k > 4) return part === 'W' ? { pick: 'w', index: cell * nh + j }
        : part === 'vx' ? { pick: 'i', index: q * nx + cell } : { pick: 'g', index: j * nx + cell };
      return !k && 'ig'.includes(pick) ? { pick, index: (pick === 'i' ? q : j) * nx + cell }
        : k || same ? { pick: 'v', index: cell } : undefined;
    }
    return undefined;
  };
  const edgeAt = (mx, my) => {
    const [j0, q0] = [unitOf(), pixelOf()];
    if (!layered || inputOf() !== undefined) return undefined;
    const pairs = j0 !== undefined ? Array.from({ length: nv }, (_, q) => [q, j0])
      : Array.from({ length: nh }, (_, j) => [q0, j]);
    const [far, index] = pairs.map(([q, j]) => [farFromEdge(place.pixel(q), place.hidden(j), mx, my), q * nh + j])
      .reduce((best, each) => each[0] < best[0] ? each : best, [BESIDE]);
    return far < BESIDE ? { pick: 'w', index } : undefined;
  };
  canvas.onclick = ({ offsetX: mx, offsetY: my }) => {
    const j = place.hiddenAt?.(mx, my), q = place.pixelAt(mx, my), k = place.below.pixelAt(mx, my), q0 = pixelOf();
    const below = q0 !== undefined ? { pick: 'i', index: q0 * nx + k } : { pick: 'g', index: unitOf() * nx + k };
    const at = j !== undefined ? { pick: 'h', index: j } : q !== undefined ? { pick: 'v', index: q }
      : k !== undefined ? below : edgeAt(mx, my);
    const found = spotAt(mx, my) ?? at;
    if (found) lab.choose(found);
  };
  canvas.onkeydown = (event) => {
    const { pick, index } = lab.chosen, [down, by, count, first] = { h: [place.few ? nh : place.across, 1, nh, 0],
      v: [columns, 1, nv, 0], w: [columns, nh, nv * nh, 0], i: [inputs, 1, (pixelOf() + 1) * nx, pixelOf() * nx],
      g: [inputs, 1, (unitOf() + 1) * nx, unitOf() * nx] }[pick];
    const moves = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -down, ArrowDown: down }[event.key];
    if (!moves) return;
    const to = index + moves * by;
    if (to >= first && to < count) lab.choose({ pick, index: to });
    event.preventDefault();
  };

  const icon = (ink, i, x0, y0, side, theme) => {
    const { kind, folded, v, residuals } = phases[i];
    if (folded) return residuals ? `${folded} rounds` : `${Math.round(folded / 2)} steps`;
    if (GIVEN_ICONS[kind]) return GIVEN_ICONS[kind];
    tile(ink, kind === 'given' ? x : v, kind === 'given' ? inputs : columns, x0, y0, side, gray, theme.line);
    return '';
  };
  return { seconds, stage, picks, rows: true, layout, draw, icon, sum };
};
