// The component: called at each run of the script, with what the script has to say.

const KEPT = new WeakMap();                       // what one component keeps from call to call
// Pages lie one below the app's own address, whatever stands before that.
const baseOf = (page) => location.pathname.replace(/\/+$/, '').replace(new RegExp(`/${page || '(?!)'}$`), '');

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector('.lab-live');
  if (!KEPT.has(root)) KEPT.set(root, (data.film ? playFilm : watchRun)(root));
  root.style.setProperty('--live-height', `${data.height}px`);
  KEPT.get(root).set(data, setTriggerValue);
  return () => { if (!root.isConnected) KEPT.get(root)?.end(); };
}
