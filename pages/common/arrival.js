// Says when the browser shows the page that the script has drawn: what the script writes into the address before stands
// behind the path of the page before, and is a step of the history there.

const AGAIN = 50;                                 // ms between two looks
let before;                                       // the page that was shown last

export const begin = () => {
  let looking;
  const end = () => clearTimeout(looking);
  const set = ({ page }, send) => {
    if (page === before) return;
    const left = before;
    before = page;
    if (left === undefined) return;
    const look = () => {
      const at = (name) => location.pathname.replace(/\/+$/, '').endsWith(`/${name}`);
      if (page ? at(page) : !at(left)) send('shown', page); else looking = setTimeout(look, AGAIN);
    };
    end();
    look();
  };
  return { set, end };
};
