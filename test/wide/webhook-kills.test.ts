import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, it } from 'node:test';
import { createWebhookSecrets } from '../../server/webhooks/secrets.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { seedEvent, seedSubscriptions } from '../support/webhooks/sender-world.ts';

// The test kills worker processes by SIGKILL during a fan-out. The receiver counts the deliveries.

const SUBSCRIBERS = 600;
/** The numbers of deliveries after which the test kills a process. */
const KILLS = [100, 300];
const ANSWER_MS = 10;

const installation = await prepareWorld();
const received = new Map<string, string[]>();
let requests = 0;
const receiver = createServer((request, response) => {
  const url = request.url ?? '';
  received.set(url, [...(received.get(url) ?? []), String(request.headers['webhook-id'])]);
  requests += 1;
  request.resume();
  setTimeout(() => response.writeHead(200, { 'content-type': 'text/plain' }).end('ok'), ANSWER_MS);
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
after(() => receiver.close());

it('a fan-out with killed processes reaches every subscriber', async () => {
  const { port } = receiver.address() as AddressInfo;
  const secrets = createWebhookSecrets({ key: installation.signingKey, randomBytes });
  const now = new Date();
  const urlOf = (_: number, id: string) => `http://127.0.0.1:${port}/${id}`;
  const all = await seedSubscriptions(installation.db, secrets, { count: SUBSCRIBERS, at: now, urlOf });
  const first = await installation.start();
  const eventId = await seedEvent(installation.db, now);
  let service = first;
  for (const kill of KILLS) {
    await until(`${kill} deliveries`, async () => requests >= kill);
    await service.running.kill('SIGKILL');
    service = await installation.start();
  }
  await until('every outcome', async () => {
    const rows = await installation.db`select 1 from webhook_deliveries where delivered_at is not null`;
    return rows.length === SUBSCRIBERS;
  });
  assert.deepEqual([...received.keys()].toSorted(), all.map(({ id }) => `/${id}`).toSorted());
  assert.ok([...received.values()].flat().every((id) => id === eventId));
});
