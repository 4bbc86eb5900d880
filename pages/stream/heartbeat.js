// Reports that someone is still here to the session's run, without a run of the script.

import { BASE } from '../draw/elements.js';

let last = 0;

export const begin = () => {
  let run, beating;
  const beat = () => {
    last = Date.now();
    fetch(`${BASE}/live/${run}/alive`, { cache: 'no-store' }).catch(() => {});
  };
  const end = () => clearInterval(beating);
  const set = (data) => {
    run = data.run;
    end();
    beating = setInterval(beat, 1_000 * data.every);
    if (Date.now() - last > 1_000 * data.every) beat();
  };
  return { set, end };
};
