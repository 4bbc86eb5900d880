// The arithmetic of an insertion: why the new unit looks as it does, why a count rises or falls, what a pixel misses.

import { largest, fixed } from '../../frames/ink.js';
import { gridsOf } from '../network.js';
import { BAR, barsIn, scaleOf } from '../plots.js';

const WITH_NUMBERS = 4;                           // columns of pixels in which numbers have room

export const sumsOfInsertion = (trace, numbers) => {
  const { phases } = trace, { samples, present, start, found, insert, nv, columns, fresh, gone, keyframes } = numbers;
  const { stand, most, over, rowsOf, pixelsOf, weightsOf, keyframeIn, byChains, before } = numbers;
  const { called, pixelName } = numbers, share = (p) => `${(100 * p).toFixed(1)} %`;
  const size = (x) => `${Number(x.toPrecision(3))}`.replace('-', '−');
  const worth = phases.find(({ kind }) => kind === 'worth');
  const of = (title, verdict, blocks = []) => ({ title, verdict, blocks });
  const answers = (data, model, price, result) => ({ result, terms: [{ name: 'data answer', value: data },
    { name: '− model answers', value: -model }, { name: '− its price', value: -price }] });
  const gain = (frame) => answers(frame.data[0], frame.model[0], frame.price[0], 'gain −f');
  const pictures = (...cells) => gridsOf(cells.map(([name, some, limit]) =>
    [name, some.length > nv ? pixelsOf(some) : some, limit]), columns);
  const weights = (w, name) => [`${name}, ${scaleOf(largest(w))}`, w, largest(w)];
  const pictureOf = (j) => weightsOf(j) ? [pictures(weights(weightsOf(j), 'its weights'))] : [];
  const misses = ({ mean, missing }) => pictures(['data', samples.data_mean, 1], ['− model', mean, 1],
    ['= missing', missing, most.missing]);
  const afterKeyframe = ({ iteration: [n] }) => `after ${n} iteration${n === 1 ? '' : 's'}`;
  const bars = (values, digits = 2) => ({ height: values.length * BAR,
    text: values.map(({ name, value }) => `${name} ${fixed(value, digits)}`).join(', '),
    draw: (ink, theme, width, y) => barsIn(ink, theme, values, 0, y, width) });

  // -- the new unit, until it has come --------------------------------------------------------------------
  const OF_NEW = {
    samples: () => of('What a new unit is to explain', stand[0].agree
      ? 'Each pixel by itself is on as often as it is to be: a new unit has to learn which go together.'
      : 'The new unit is to make likelier what the data have more often than the model.',
    stand[0].agree ? [] : [misses(stand[0])]),
    present: () => of('The new unit', 'It is not there yet: the search for it comes next.'),
    start: () => of('What each start gains', 'A unit answers to a row the more, the better the row fits its weights. '
      + 'Noise answers to data and model alike, and gains next to nothing.',
    [bars([...start.objective].map((value, k) => ({ name: `start ${k + 1}`, value: -value })), 4)]),
    search: (i) => {
      const frame = keyframeIn(i, 1), { slope } = frame, [f] = frame.objective;
      const cells = columns > WITH_NUMBERS ? [weights(frame.w, 'weights'), ['slope', slope, most.slope]]
        : [['data', frame.data_pull, most.pull], ['− model', frame.model_pull, most.pull],
          ['− price', frame.price_pull, most.pull], ['= slope', slope, most.slope]];
      const next = frame.rests.every(Boolean) ? 'Next to no slope is left: no weight is to move.'
        : 'Where the slope is blue a weight is to rise, where red to fall.';
      return of(`What the new unit gains ${afterKeyframe(frame)}`,
        `It would ${f > 0 ? 'lower' : 'raise'} J by ${size(Math.abs(f))} nats for each time that it counts. ${next}`,
        [gain(frame), pictures(...cells)]);
    },
    found: () => {
      const alpha = present.count.reduce((sum, count) => sum + count, 0);
      const there = present.count.reduce((sum, count, j) => sum + count * present.slope[j], 0);
      const gap = { terms: [{ name: 'α · its gain', value: -alpha * found.reached[found.best[0]] },
        { name: '− units there', value: -there }], result: 'gap' };
      const how = byChains ? 'the search has found and the chains say' : 'the search has found';
      const known = found.gap ? ` The duality gap by estimate, ${size(found.gap[0])} nats: as far as ${how}, `
        + 'better units could raise J by no more, if all counted as much together as now.' : '';
      const more = 'The data answer to it more than the model, by more than it costs';
      const others = found.reached.length > 1 ? ', and by more than to any other that was found' : '';
      const dear = worth?.again[0] ? 'Other chains show that only chance speaks for it: it does not come.'
        : 'The data do not answer to it by so much more than the model that it is worth its price.';
      const why = insert ? `${more}${others}.` : worth?.worthless[0] ? dear : 'It does not come in this update.';
      return of(insert ? 'Why this unit came' : 'The best that was found', why + known,
        [gain(keyframes.at(-1)), ...found.gap ? [gap] : []]);
    },
    away: (i) => of('What the new unit gains', phases[i].words, [gain(keyframes.at(-1)), ...pictureOf(fresh)]),
    worth: () => {
      const [value, bound, again, worthless] = ['value', 'bound', 'again', 'worthless'].map((key) => worth[key][0]);
      const so = `it ${worthless ? 'does not come' : 'comes'}.`;
      const verdict = again ? `On other chains it ${value > 0 ? 'loses' : 'gains'} ${size(Math.abs(value))} nats, and `
        + `chance may give ${size(-bound)}: ${so}` : `That is ${worthless ? 'not enough' : 'above 0'}: ${so}`;
      return of('What the new unit gains', verdict, [gain(keyframes.at(-1)), ...pictureOf(fresh)]);
    },
  };

  // -- units that are there -------------------------------------------------------------------------------
  const counted = (i, j) => {
    const phase = phases[i], old = j < present.count.length, frame = keyframes.at(-1);
    const [data, price] = old ? [present.data[j], present.price[j]] : [frame.data[0], frame.price[0]];
    const [slope, end] = [phase.slope[j], phase.slope[phase.counts.length + j]], calm = phase.rests[j];
    // Over all states all phases are of one search, which began where the unit had come in.
    const from = byChains ? before(i) : stand[phases.findIndex(({ kind }) => kind === 'counts') - 1];
    const [was, is] = [from.counts[j], stand[i].counts[j]].map(size), grew = stand[i].counts[j] > from.counts[j];
    const moved = was === is ? `stays ${is}` : `${grew ? 'rises' : 'falls'} from ${was} to ${is}`;
    const step = !byChains ? 'the search' : phase.folded ? 'the last of these rounds' : 'the round';
    const against = !calm && was !== is && (slope > 0) !== grew;
    const link = against ? 'yet' : calm && was !== is ? 'and as others move' : 'so';
    const dear = is === '0' && end < 0 ? ': it would cost more than it helps' : '';
    const why = against ? ', for others that answer to the same rows move, too' : '';
    return of(`Why the count of ${called(j)} moves`, `Its slope was ${calm ? 'about 0' : fixed(slope)} as ${step} `
      + `began, ${link} its count ${moved}${why}. Its slope has come to ${fixed(end)}${dear}.`,
    [answers(data, data - price - slope, price, 'slope'), ...pictureOf(j)]);
  };
  const atRest = (j) => {
    const [data, price, slope] = [present.data[j], present.price[j], present.slope[j]];
    const per = `${size(Math.abs(slope))} nats for each time, at first`;
    const verdict = present.rests[j]
      ? 'It is about at rest: to count it more or less gains next to nothing.' : slope > 0
        ? `The data answer to it more than the model, by more than it costs: to count it more gains ${per}.`
        : `The model answers too much to it, for what it costs: to count it less gains ${per}.`;
    return of(`Is ${called(j)} to count more?`, verdict, [answers(data, data - price - slope, price, 'slope'),
      ...pictureOf(j)]);
  };
  const ofUnit = (i, j) => {
    const phase = phases[i], { kind } = phase, name = called(j);
    if (j === fresh && OF_NEW[kind]) return OF_NEW[kind](i);
    if (j === fresh && !insert) return of('The unit that was found', 'It has not come into the model.', pictureOf(j));
    if (kind === 'counts') return counted(i, j);
    if (OF_NEW[kind]) return atRest(j);
    const [was, is] = [before(i).counts[j], stand[i].counts[j]].map(size);
    const moved = kind === 'insert' && j === fresh && !stand[i].counts[j] ? 'It is there, and counts 0 times as yet.'
      : was === is ? `Its count stays ${is}.` : `Its count goes from ${was} to ${is}.`;
    if (kind === 'biases') {
      return of('What the biases follow', `The weights of all units stay as they are. ${moved}`,
        [misses(stand[i])]);
    }
    if (kind === 'line' && phase.unit[0] === j) {
      return of(`Why the count of ${name} moves`, `J rises up to a count of ${is}, and falls beyond. ${moved}`,
        pictureOf(j));
    }
    if (kind === 'leave' && gone.has(j)) {
      return of(`Why ${name} leaves`, 'It counts 0 times: the model is the same without it.', pictureOf(j));
    }
    const whole = gone.has(j) && over(i, 'leave') ? 'It has left.'
      : `It counts ${is} times now; before this update, ${size(stand[0].counts[j])}.`;
    return of(`How often ${name} counts`, ['new', 'over'].includes(kind) ? whole : moved, pictureOf(j));
  };

  // -- weights and pixels ---------------------------------------------------------------------------------
  const ofWeight = (i, q) => {
    const frame = keyframeIn(i, 1), [a, b, dear] = [frame.data_pull[q], frame.model_pull[q], frame.price_pull[q]];
    const both = q === nv ? 'the unit is on' : 'this pixel and the unit are on together';
    const way = frame.rests[q] ? 'The pulls about cancel, and it stays'
      : `It is to ${frame.slope[q] > 0 ? 'rise' : 'fall'}`;
    const terms = [['data', a], ['− model', -b], ['− price', -dear]].map(([name, value]) => ({ name, value }));
    return of(`What pulls the new unit's weight to ${pixelName(q)}, ${afterKeyframe(frame)}`,
      `In ${share(a)} of the data ${both}, and in ${share(b)} of the model's rows. ${way}; now it is `
      + `${fixed(frame.w[q])}.`,
      [{ terms, result: 'slope' }]);
  };
  const ofPixel = (i, q) => {
    const { kind } = phases[i], name = pixelName(q);
    if (kind === 'start') {
      return of(`The new unit's weight to ${name}`, 'Drawn at random: it means nothing yet.',
        [bars(rowsOf(start.w).map((w, k) => ({ name: `start ${k + 1}`, value: w[q] })))]);
    }
    if (['search', 'found', 'away', 'worth'].includes(kind)) return ofWeight(i, q);
    if (q === nv) return of('The hidden bias', 'The larger it is, the more easily the new unit is on.');
    const { mean, b, missing } = stand[i], [data, model] = [samples.data_mean[q], mean[q]];
    const step = b[q] - before(i).b[q];
    const was = kind === 'new' ? ` Before this update it was off by ${fixed(stand[0].missing[q], 3)}.` : '';
    const moved = step && kind !== 'new' ? `, moved by ${fixed(step, 3)}` : '';
    const sides = [{ name: 'data', value: data }, { name: '− model', value: missing[q] - data }];
    return of(`How often ${name} is on`, `In ${share(data)} of the data, and in ${share(model)} of the model's rows.`
      + `${was} Its bias is ${fixed(b[q])}${moved}.`,
    [{ terms: sides, result: 'missing' }]);
  };
  return (i, { q, j }) => q === undefined ? ofUnit(i, j) : ofPixel(i, q);
};
