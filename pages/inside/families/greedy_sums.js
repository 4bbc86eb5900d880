// What stands beside a greedy step: gains, prices and means, as sums.

import { clamp, say, fixed } from '../../frames/ink.js';

export const sumsOf = (trace, step) => {
  const {
    offers, column, digitsOf, called, capital, percent, plain, bought, there, appended, best, chosen, pairs, sizes,
  } = step;

  const sharesOf = ({ words, model, data, sign }, after) => {
    const rows = [['data', (1 + sign * data) / 2], ['model', (1 + sign * model) / 2]];
    if (after !== undefined) rows.push(['model after', (1 + sign * after) / 2]);
    const text = rows.map(([name, share]) => `${name} ${percent(share)}`).join(', ');
    const [so, not] = sign > 0 ? ['+1', '−1'] : ['−1', '+1'];
    const means = [`A row counts ${so} where it is so, ${not} where not.`,
      `Means of that: data b = ${fixed(data)}, model a = ${fixed(model)}`];
    return { rows, block: { height: 61 + 22 * rows.length, text: `${text}. ${means.join(' ')}`,
      draw: (ink, theme, width, y) => {
        const names = Math.min(140, width * .36), room = width - names - 62;
        say(ink, theme, `Rows in which ${words}`, 0, y + 8, { size: 12, colour: theme.soft, room: width });
        rows.forEach(([name, share], k) => {
          const top = y + 22 + 22 * k;
          say(ink, theme, name, names - 8, top + 8, { align: 'right' });
          Object.assign(ink, { strokeStyle: theme.soft, lineWidth: 1 });
          ink.strokeRect(names + .5, top + .5, room, 15);
          ink.fillStyle = theme.soft; ink.fillRect(names, top, room * clamp(share), 16);
          say(ink, theme, percent(share), width - 2, top + 8, { align: 'right' });
        });
        means.forEach((line, k) => say(ink, theme, line, 0, y + 33 + 22 * rows.length + 17 * k,
          { size: 12, colour: theme.soft, room: width }));
      } } };
  };
  const inShares = ({ words }, [[, data], [, model]]) =>
    `In the data ${words} in ${percent(data)} of the rows, in the model in ${percent(model)}.`;
  // What a price is made of, with the numbers of these data.
  const priced = () => {
    const { value_price: [value], variable_prices: each } = offers;
    const factor = trace.values.price ?? 1, two = sizes.indexOf(2);
    const times = factor === 1 ? '' : `${factor} × `, N = offers.rows.toLocaleString('en');
    const column_ = two < 0 ? `${times}ln (n (|X| − 1)) / N for each of its columns, |X| their numbers of values`
      : `${times}ln n / N = ${plain(each[two])} for each of its columns of two values`;
    return `Of N = ${N} rows and n = ${sizes.length} columns the price is ${times}ln N / 2N = ${plain(value)} for the `
      + `value, and ${column_}.`;
  };
  const ofOffer = (k, taken_) => {
    const each = bought[k], at = offers.listed[k], n = offers.term.length;
    const { rows, block } = sharesOf(each, taken_ ? each.data : undefined);
    const parts = [offers.parts[at], offers.parts[n + at]], [so, not] = each.sign > 0 ? parts : [...parts].reverse();
    const variables = digitsOf(each.term).flatMap((digit, i) =>
      digit ? [{ name: `− ${column(i)}`, value: -offers.variable_prices[i] }] : []);
    const size = offers.size[at] ? [{ name: '− size', value: -offers.size[at] }] : [];
    const terms = [{ name: 'where it is so', value: so }, { name: 'where it is not', value: not },
      { name: '− its value', value: -offers.value_price[0] }, ...variables, ...size];
    const worth = each.worth > 0 ? `The description gets ${plain(each.worth)} shorter.`
      : `That is ${plain(each.worth)} too dear.`;
    return { title: capital(each.words), blocks: [block, { terms, result: 'shorter by', digits: 4 }],
      verdict: `${inShares(each, rows)} With the term the model says the same: that takes ${plain(each.gain)} nats per `
        + `row off (the quick bound said at most ${plain(offers.bound[at])}): rows where it is so become more `
        + `probable, the others less. Its price is ${plain(each.price)}. ${worth} ${priced()}` };
  };
  const strengthOf = ({ value }) => `Its strength is ${plain(value, 2)}: the term's θ is ${fixed(value)}${value < 0
    ? ', below 0 as a row counts −1 where it is so' : ''}.`;
  const ofTerm = (k) => {
    const each = there[k], { rows, block } = sharesOf(each), [moved, dropped] = each.kl, still = each.moving < 1e-12;
    const sum = (what, worth, parts) => ({ digits: 4, result: `shorter by ${what}`,
      terms: [...parts, { name: 'size', value: worth - parts.reduce((all, { value }) => all + value, 0) }]
        .filter(({ name, value }) => name !== 'size' || Math.abs(value) > 1e-12) });
    const says = still ? 'It is where model and data agree: moving it gains nothing.'
      : `Its best strength is ${fixed(each.sign * each.adjusted)}: the description would get `
        + `${plain(each.moving)} shorter.`;
    return { title: capital(each.words), blocks: [block, sum('moving', each.moving, [{ name: 'gain', value: -moved }]),
      sum('dropping', each.dropping, [{ name: 'loss', value: -dropped }, { name: '+ its price', value: each.price }])],
    verdict: `${inShares(each, rows)} ${strengthOf(each)} ${says} `
      + `Without it the description would get ${plain(each.dropping)} ${each.dropping > 0 ? 'shorter' : 'longer'}.` };
  };
  const ofChosen = () => {
    if (appended) {
      const found = ofOffer(best, true);
      return { ...found, verdict: `${found.verdict} No other step saves as much, so this term comes.` };
    }
    const [kl, change] = [chosen.kl[0], chosen.change[0]], each = there[best];
    const { rows, block } = sharesOf(each), gone = chosen.removed[0];
    const rest = { name: gone ? '+ its price' : 'size', value: kl - change };
    const terms = [{ name: 'gain', value: -kl }, ...(Math.abs(rest.value) > 1e-12 ? [rest] : [])];
    return { title: capital(each.words), blocks: [block, { terms, result: 'shorter by', digits: 4 }],
      verdict: `${inShares(each, rows)} ${gone ? 'Other terms say it by now: dropping it loses less than its price.'
        : `Its strength changes by ${fixed(each.sign * chosen.step[0], 4)}, to where model and data agree.`} `
        + `The description gets ${plain(change)} shorter.` };
  };
  const ofCell = (k) => {
    const name = called(pairs.term[k]), step = called(chosen.term[0]), [t, a] = [pairs.t[0], pairs.of_term[0]];
    const [before, after, mixed] = [pairs.before[k], pairs.after[k], pairs.mixed[k]];
    const title_ = `The mean (dual) of ${name}`, data = `In the data it is ${fixed(pairs.data[k], 3)}.`;
    if (pairs.partner[k] < 0) {
      const way = [{ name: 'before', value: before }, { name: 'moves by', value: after - before }];
      return { title: title_, blocks: [{ terms: way, result: 'after', digits: 3 }],
        verdict: `${step} is of a column whose number of values is no power of two: here a mean mixes with several `
          + `others, not with one. ${data}` };
    }
    const partner = called(pairs.partner[k]);
    const sumOf = (result, name, value, other, more) => ({ result, digits: 3,
      terms: [{ name, value }, { name: `t × ${other}`, value: t * more }] });
    const upper = `${fixed(before, 3)} + ${plain(t, 3)} × ${fixed(mixed, 3)}`;
    const lower = `1 + ${plain(t, 3)} × ${fixed(a, 3)}`;
    const formula = t < 0 ? [upper, lower].map((each) => each.replace(/ \+ (?=[\d.]+ ×)/, ' − ')) : [upper, lower];
    return { title: title_,
      blocks: [sumOf('above the line', name, before, partner, mixed), sumOf('below the line', '1', 1, step, a)],
      verdict: `Rows in which ${step} is +1 count 1 + t from now on, the others 1 − t; t = tanh(step) = `
        + `tanh(${fixed(chosen.step[0], 3)}) = ${fixed(t, 3)}. So the mean of ${name} takes up t times `
        + `that of its partner, ${partner} (each is the other times ${step}). It was ${fixed(before, 3)} and `
        + `is now (${formula[0]}) ÷ (${formula[1]}) = `
        + `${fixed(after, 3)}. ${data}` };
  };
  return { ofOffer, ofTerm, ofChosen, ofCell };
};
