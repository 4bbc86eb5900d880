// What the component calls: at each run of the script, with what is to be looked into.

const KEPT = new WeakMap();

const dress = () => {
  if (document.getElementById('lab-inside-style')) return;
  document.head.append(Object.assign(document.createElement('style'), { id: 'lab-inside-style', textContent: CSS }));
};

const load = async (root, base) => {
  const kept = KEPT.get(root), turn = kept.turn += 1;
  const complain = (text) => {
    if (!root.firstChild) root.innerHTML = HTML;
    Object.assign(root.querySelector('.lost'), { textContent: text, hidden: false });
  };
  try {
    const traces = await Promise.all(kept.data.of.map((of) => traceFrom(base, of, kept.row)));
    if (turn !== kept.turn || !root.isConnected) return;
    const chosen = kept.player?.lab.chosen ?? kept.data.choose;
    kept.player?.stop();
    kept.player = playTraces(root, traces, (row) => { kept.row = row; load(root, base); });
    root.style.minHeight = 0;
    if (chosen) kept.player.lab.choose(chosen);
  } catch (error) {
    if (turn === kept.turn) complain(error.message);
  }
};

export const look = (root, data, base) => {
  if (!root.isConnected) return;
  dress();
  const before = KEPT.get(root), key = JSON.stringify([data.of, data.version, data.row]);
  if (before?.key === key) return;
  KEPT.set(root, { ...before, data, key, turn: before?.turn ?? 0, row: before?.row ?? data.row });
  load(root, base);
};

export const leave = (root) => { KEPT.get(root)?.player?.stop(); KEPT.delete(root); };
