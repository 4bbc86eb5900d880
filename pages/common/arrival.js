// Reports when the browser shows the page that the script has drawn. Until then, anything the script writes into the
// address is attached to the path of the previous page and becomes a step in its history.

const AGAIN = 50;                                 // ms between two looks
let before;                                       // the page that was shown last

// On a phone the menu covers the page that was chosen in it.
const closeMenu = () => {
  const close = document.querySelector('[data-testid="stSidebarCollapseButton"] button');
  if (close?.getBoundingClientRect().right > 0 && matchMedia('(max-width: 768px)').matches) close.click();
};

export const begin = () => {
  let looking;
  const end = () => clearTimeout(looking);
  const set = ({ page }, send) => {
    const at = (name) => location.pathname.replace(/\/+$/, '').endsWith(`/${name}`);
    const look = () => {
      if (page ? !at(page) : at(before)) { looking = setTimeout(look, AGAIN); return; }
      before = page;
      closeMenu();
      send('shown', page);
    };
    end();
    before ??= page;
    if (page !== before) look();
  };
  return { set, end };
};
