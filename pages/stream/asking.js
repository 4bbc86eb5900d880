// Fetch a URL; while the server has no room for the request, repeat it after the time that it names.
// waits : called with the server's sentence meanwhile
export const fetchWithRoom = async (url, settings = {}, waits = undefined) => {
  const answer = await fetch(url, settings);
  if (answer.status !== 429) return answer;
  waits?.(await answer.text());
  await new Promise((go) => { setTimeout(go, 1000 * Number(answer.headers.get('Retry-After') ?? 1)); });
  return fetchWithRoom(url, settings, waits);
};
