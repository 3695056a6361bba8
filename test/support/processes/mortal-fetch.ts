// Preloaded into the process of a client: it ends itself by SIGKILL at one of its requests. `KILL_AT` is the number of the
// request and the moment, such as `3 during`.

const [at, moment] = (process.env['KILL_AT'] ?? '').split(' ');
const send = globalThis.fetch;
let requests = 0;

async function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return await new Promise<never>(() => {});
}

globalThis.fetch = async (input, init) => {
  requests += 1;
  if (requests !== Number(at)) return await send(input, init);
  if (moment === 'before') return await die();
  const answer = send(input, init);
  if (moment === 'during') {
    // The process lives on for as long as a request needs to leave it.
    await new Promise((resolve) => setTimeout(resolve, 2));
    return await die();
  }
  await (await answer).arrayBuffer();
  return await die();
};
