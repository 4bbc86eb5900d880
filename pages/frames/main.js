// What the component calls: at each run of the script, with what the script has to say.

const KEPT = new WeakMap();                       // what one component keeps from call to call

const dress = () => {
  if (document.getElementById('lab-live-style')) return;
  document.head.append(Object.assign(document.createElement('style'), { id: 'lab-live-style', textContent: CSS }));
};

export const draw = (root, { data, setTriggerValue }, base) => {
  if (!root.isConnected) return;
  dress();
  if (!KEPT.has(root)) {
    root.innerHTML = HTML;
    KEPT.set(root, (data.film ? playFilm : watchRun)(root, base));
  }
  KEPT.get(root).set(data, setTriggerValue);
};

export const leave = (root) => KEPT.get(root)?.end();
