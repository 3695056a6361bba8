import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import { recordEvents } from '../../server/events/public.ts';
import { createWebhookSecrets } from '../../server/webhooks/secrets.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld, type ServiceProcess } from '../support/processes/service-processes.ts';
import { serveHttp } from '../support/servers/http-server.ts';
import { startSmtpServer } from '../support/servers/smtp-server.ts';

// SIGKILL ends the process after the other side has taken an email or a webhook, and before the process has written that.
// Emails and webhooks are sent at least once: the repetition has the same Message-ID or `webhook-id`.

const EVENTS = 12;
/** The numbers of deliveries at which the test kills the process. */
const KILLS = [1, 6];
const smtp = await startSmtpServer();
const world = await prepareWorld({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'market@example.com' } });
const { db } = world;
let service: ServiceProcess = await world.start();
const posterId = randomUUIDv7();
const address = 'ann@example.com';
const deliveries: string[] = [];
/** Called with each delivery, before it is answered. */
let onDelivery: () => Promise<void> = async () => {};
const receiver = await serveHttp(async ({ headers }, response) => {
  deliveries.push(String(headers['webhook-id']));
  await onDelivery();
  response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
});

async function happen(count: number): Promise<string[]> {
  const events = Array.from({ length: count }, () => ({
    id: randomUUIDv7(),
    poster: posterId,
    type: 'PROJECT.CANCELLED' as const,
    data: { project_id: randomUUIDv7(), reason: 'Test', cancelled_by: 'operator' as const },
  }));
  await db.begin((tx) => recordEvents({ newId: () => randomUUIDv7() }, tx, new Date(), events));
  return events.map(({ id }) => id);
}

/** Starts a new process. What the killed one held need not expire in real time. */
async function restart(): Promise<void> {
  await db`update mail_outbox set lease_until = now() where lease_until is not null`;
  await db`update webhook_deliveries set lease_until = now() where lease_until is not null`;
  service = await world.start();
}

it('an email that was sent before the kill is sent again with the same Message-ID, and then no more', async () => {
  await db`
    insert into mail_contacts (account_kind, account_id, address, verified_at, created_at, updated_at)
    values ('poster', ${posterId}, ${address}, now(), now(), now())`;
  const killed = Promise.withResolvers<void>();
  smtp.faults.accepted = async () => {
    delete smtp.faults.accepted;
    await service.running.kill('SIGKILL');
    killed.resolve();
  };
  await happen(1);
  await killed.promise;
  const [open] = await db`select sent_at from mail_outbox`;
  assert.equal(open?.['sent_at'], null);
  await restart();
  await until(
    'the email is written',
    async () => (await db`select 1 from mail_outbox where sent_at is null`).length === 0,
  );
  const ids = smtp.to(address).map(({ messageId }) => messageId);
  assert.equal(ids.length, 2);
  assert.equal(new Set(ids).size, 1);
});

it('each event reaches an endpoint, although processes are killed between sending and writing', async () => {
  await db`delete from mail_contacts`;
  const [id, secret] = [randomUUIDv7(), randomBytes(32)];
  const sealed = createWebhookSecrets({ key: world.signingKey, randomBytes }).seal(id, secret);
  await db`
    insert into webhook_endpoints (id, account_kind, account_id, url, host, secret, types, verified_at, created_at, updated_at)
    values (${id}, 'poster', ${posterId}, ${`${receiver}/`}, '127.0.0.1', ${sealed}, '{PROJECT.CANCELLED}', now(), now(), now())`;
  const events = await happen(EVENTS);
  for (const kill of KILLS) {
    const killed = Promise.withResolvers<void>();
    onDelivery = async () => {
      if (deliveries.length < kill) return;
      onDelivery = async () => {};
      await service.running.kill('SIGKILL');
      killed.resolve();
    };
    await killed.promise;
    await restart();
  }
  await until('every delivery is written', async () => {
    const rows = await db`select 1 from webhook_deliveries where endpoint_id = ${id} and delivered_at is not null`;
    return rows.length === EVENTS;
  });
  assert.deepEqual([...new Set(deliveries)].toSorted(), events.toSorted());
  // One delivery to the endpoint is in flight at a time, so a kill repeats one, and one more whose outcome was not written.
  assert.ok(deliveries.length <= EVENTS + 2 * KILLS.length, `${deliveries.length} deliveries of ${EVENTS} events`);
});
