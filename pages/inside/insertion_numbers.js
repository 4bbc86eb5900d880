// What is seen of an insertion of Frank-Wolfe, made of its phases once: how counts, biases and means stand after each,
// what pulls the new unit's weights, and how strong colours are.

// Whether the slope of a count is about 0, beside what is paid for the unit, or answered to it where nothing is paid.
const isCalm = (slope, answer, price, part = 1e-3) => Math.abs(slope) < part * (price || answer);
const SAME = 1e-6, AGREE = 1e-3;                  // means that differ by less do not differ, or next to not

const numbersOfInsertion = (trace, redraw) => {
  const { phases, models, shape } = trace, { lambda_, ball } = trace.values, price = ball ? 0 : lambda_;
  const one = (kind) => phases.find((phase) => phase.kind === kind);
  const [samples, present, start, found, insert, leave, last] =
    ['samples', 'present', 'start', 'found', 'insert', 'leave', 'new'].map(one);
  const nv = samples.data_mean.length, columns = shape ? shape[1] : Math.min(nv, 8);
  // The places of units are those before any leaves; the new one is the last, also where it does not come.
  const through = phases[phases.indexOf(last) - 1].at, many = models[through].units.dims[0];
  const nh = insert ? many : many + 1, fresh = nh - 1, gone = new Set(leave?.units ?? []);
  const looks = phases.flatMap((phase) => phase.kind !== 'search' ? [] : phase.folded ? phase.looks : [phase]);
  const over = (i, kind) => one(kind) !== undefined && i > phases.indexOf(one(kind));

  // What is made of an array is made once, so that its picture is painted once.
  const memo = new Map();
  const once = (key, make) => {
    if (!memo.has(key)) memo.set(key, make());
    return memo.get(key);
  };
  const minus = (a, b) => Float64Array.from(a, (value, k) => Math.abs(value - b[k]) < SAME ? 0 : value - b[k]);
  const rowsOf = (matrix) => once(matrix, () => Array.from({ length: matrix.dims[0] },
    (_, k) => matrix.subarray(k * matrix.dims[1], (k + 1) * matrix.dims[1])));
  const pixelsOf = (w) => once(w, () => w.subarray(0, nv));
  const small = new Map();                        // apart, for they are painted on another scale
  const smallOf = (w) => small.get(w) ?? small.set(w, w.slice(0, nv)).get(w);
  const pullsOf = (look) => once(look, () => {
    const dear = Float64Array.from(look.w, (w) => price * w);
    return { dear, slope: Float64Array.from(dear, (value, k) => look.data_pull[k] - look.model_pull[k] - value) };
  });
  const weightsOf = (j) => {
    if (j === fresh) return found.unit;
    const key = `unit ${j}`, w = memo.get(key) ?? taken(trace, 'models', through, 'units', 'h', 0, j, redraw);
    if (w) memo.set(key, w);
    return w;
  };

  const moved = ({ counts, b, mean, rows }, told) => {
    const now = { counts: counts.slice(), b, mean, rows };
    if (told.grid) now.counts[told.unit[0]] = told.after[0];               // along a line
    else if (told.slope && told.counts) { now.counts.set(told.counts); now.b = told.b; }
    else if (told.model_mean && told.after) { now.mean = told.model_mean; now.b = told.after; }
    return now;
  };
  const stand = [];
  const first = Float64Array.from({ length: nh }, (_, j) => present.count[j] ?? 0);
  let now = { counts: first, b: models[0].b, mean: samples.model_mean, rows: samples };
  for (const phase of phases) {
    const { kind } = phase, counts = now.counts.slice();
    if (['line', 'biases', 'counts'].includes(kind)) now = (phase.folded ? phase.looks : [phase]).reduce(moved, now);
    else if (kind === 'insert') { counts.set(phase.after); now = { ...now, counts }; }
    else if (kind === 'leave') { phase.units.forEach((j) => { counts[j] = 0; }); now = { ...now, counts }; }
    else if (kind === 'new') {
      [...Array(many).keys()].filter((j) => !gone.has(j)).forEach((j, k) => { counts[j] = phase.counts[k]; });
      now = { counts, b: models.at(-1).b, mean: phase.model_mean, rows: phase };
    }
    stand.push(now);
  }
  const missing = (mean) => once(mean, () => minus(samples.data_mean, mean));
  const off = largest(...[...new Set(stand.map(({ mean }) => mean))].map(missing));
  const agree = off < AGREE;
  const most = { missing: agree ? 1 : off, agree, b: largest(...stand.map(({ b }) => b)),
    count: largest(...stand.map(({ counts }) => counts)),
    W: Math.max(models[through].units.most ?? 0, largest(found.unit)),
    pull: largest(...looks.flatMap((look) => [look.data_pull, look.model_pull, pullsOf(look).dear])),
    slope: largest(...looks.map((look) => pullsOf(look).slope)),
    share: largest(samples.data_weight, samples.model_weight) };
  // Where the search is when the share f of a phase is over.
  const lookIn = (i, f) => {
    const phase = phases[i];
    return phase.kind !== 'search' ? looks.at(-1) : !phase.folded ? phase
      : lookAlong(phase.looks, phase.looks.map(({ objective }) => objective[0]), f);
  };
  return { samples, present, start, found, insert, nv, nh, columns, fresh, gone, looks, stand, most, over, once,
    rowsOf, pixelsOf, smallOf, pullsOf, weightsOf, missing, lookIn, byChains: Boolean(samples.before),
    before: (i) => stand[Math.max(i - 1, 0)], called: (j) => j === fresh ? 'the new unit' : nameOfUnit(j),
    pixelName: (q) => q === nv ? 'its hidden bias' : nameOfPixel(trace, q) };
};
