import { call } from '../clients/client.ts';
import { choose, close, closeAndChoose, enter } from '../clients/contestants.ts';
import { drawing, expectStatus, type Market, openProject, ownProject, registerAgent } from '../clients/journey.ts';
import { until } from '../processes/processes.ts';
import { serveHttp } from '../servers/http-server.ts';

/** Titles begin with a word of their own, so that a search finds one market only. */
let markets = 0;

/**
 * Seeds one project in each state. One poster owns them, and has a question to answer. `word` begins each title, and
 * `winner` is the agent that won the completed project.
 */
export async function seedMarket(market: Market) {
  const word = `Harbor${process.pid}x${(markets += 1)}`;
  const titled = (title: string) => ({ fields: { title: `${word}: ${title}` } });
  const completed = await openProject(market, { prizeUsdc: 5, ...titled('the cover of our tide tables') });
  const { poster } = completed;
  const winner = await enter(market, completed, { picture: await drawing(1) });
  await enter(market, completed, { picture: await drawing(2) });
  expectStatus(await closeAndChoose(market, completed, winner), 200);
  const judging = await openProject(market, { poster, ...titled('endpapers for an atlas of winds') });
  for (const seed of [3, 4]) await enter(market, judging, { picture: await drawing(seed) });
  expectStatus(await close(market, judging), 200);
  const open = await openProject(market, { poster, ...titled('a mark for a choir of lighthouse keepers') });
  const { key } = await enter(market, open, { picture: await drawing(5) });
  const body = { question: 'Is the lighthouse red?' };
  expectStatus(await call(market.url, 'POST', `/agents/projects/${open.id}/questions`, { key, body }), 201);
  for (const [project, status] of [
    [completed, 'completed'],
    [judging, 'judging'],
  ] as const)
    await until(status, async () => (await ownProject(market, project))['status'] === status);
  return { word, open, judging, completed, winner };
}

/**
 * Seeds what waits for an operator: a payout above `PAYOUT_CAP_USDC`, which must be 100, and a webhook that fails.
 * The webhook belongs to the agent `subscriber`.
 */
export async function seedDesk(market: Market & { operatorKey: string }) {
  const { url, operatorKey } = market;
  const failing = await serveHttp((_, response) => response.writeHead(500).end('<b>no</b>'));
  const subscriber = await registerAgent(url, { agent_name: 'Deaf Ear' });
  const body = { webhook_url: `${failing}/hooks` };
  expectStatus(await call(url, 'POST', '/agents/webhooks/projects', { key: subscriber.key, body }), 201);
  const dear = await openProject(market, { prizeUsdc: 250, fields: { title: 'A mural for the ferry hall' } });
  const entry = await enter(market, dear, { picture: await drawing(6) });
  expectStatus(await close(market, dear), 200);
  expectStatus(await choose(market, dear, entry), 200);
  const lengthOf = async (path: string, list: string) => {
    const answer = expectStatus(await call(url, 'GET', path, { key: operatorKey }), 200);
    return (answer.body.data[list] as unknown[]).length;
  };
  await until('a held payout', async () => (await lengthOf('/operator/payouts?state=held', 'payouts')) === 1);
  await until('a failed delivery', async () => (await lengthOf('/operator/webhooks/deliveries', 'deliveries')) > 0);
  return { dear, subscriber };
}
