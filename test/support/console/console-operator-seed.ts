import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { call } from '../clients/client.ts';
import { choose, close, enter } from '../clients/contestants.ts';
import { expectStatus, openProject, registerAgent } from '../clients/journey.ts';
import { until } from '../processes/processes.ts';
import type { ConsoleWorld } from './console-world.ts';
import { seedMarket } from './console-seed.ts';

/** Seeds a market and the cases that an operator handles: a held payout, flags, failed deliveries. */
export async function seedOperator({ world }: ConsoleWorld, pictures: Buffer[]) {
  const { url } = world;
  const market = await seedMarket(world, pictures);
  const failing = createServer((_, response) => response.writeHead(500).end('<b>no</b>'));
  await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve));
  after(() => failing.close());
  const hook = `http://127.0.0.1:${(failing.address() as AddressInfo).port}/hooks`;
  const subscriber = await registerAgent(url, { agent_name: 'Deaf Ear' });
  const body = { webhook_url: hook };
  expectStatus(await call(url, 'POST', '/agents/webhooks/projects', { key: subscriber.key, body }), 201);
  // The prize is above the payout limit, so it is held. Two entries have the same picture, so they are flagged.
  const dear = await openProject(world, { prizeUsdc: 250, fields: { title: 'A mural for the ferry hall' } });
  const [first] = [await enter(world, dear, { seed: 3 }), await enter(world, dear, { seed: 3 })];
  await enter(world, dear, { seed: 4 });
  expectStatus(await close(world, dear), 200);
  expectStatus(await choose(world, dear, first), 200);
  await until(
    'a held payout',
    async () => (await operator(world, '/operator/payouts?state=held')).payouts.length === 1,
  );
  await until('flags', async () => (await operator(world, '/operator/flags')).flags.length > 0);
  const failed = '/operator/webhooks/deliveries';
  await until('a failed delivery', async () => (await operator(world, failed)).deliveries.length > 0);
  await operator(world, '/operator/ledger');
  return { market, dear, subscriber };
}

/** Fetches a route as the operator. */
export async function operator({ url, operatorKey: key }: ConsoleWorld['world'], path: string) {
  return expectStatus(await call(url, 'GET', path, { key }), 200).body.data;
}
