// Streamlit may write a page's parameters before its path, behind the path of the page before, and then its path as
// another step: Back would lead to an address that never was. The path takes the place of that address instead.
export const mendHistory = () => {
  const push = history.pushState.bind(history);
  let written;                                              // the address of which only the parameters were written
  history.pushState = (state, unused, to) => {
    const { href, pathname, search } = new URL(to, location), elsewhere = pathname !== location.pathname;
    const late = elsewhere && location.href === written && search === location.search;
    written = elsewhere ? undefined : href;
    if (late) history.replaceState(state, unused, to); else push(state, unused, to);
  };
};
