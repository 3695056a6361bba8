import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, newPayer, signPayment } from '../support/clients/client.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
import { brief, expectStatus, ledger, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { untilSettled } from '../support/money/payment-answers.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld, untilKilled } from '../support/processes/service-processes.ts';

// SIGKILL ends the process while a prize goes into escrow. After a restart, the service takes the prize once and opens
// the project once.

const PRIZE_MICRO = 1_000_000;
const FUNDS_MICRO = 3_000_000;

/** `claimed`: the database has the claim of the signed payment, so that only its outcome can be the answer. */
const points: { point: CrashPoint; claimed: boolean }[] = [
  { point: 'after verify', claimed: false },
  { point: 'before settle', claimed: true },
  { point: 'after settle', claimed: true },
  { point: 'in the booking', claimed: true },
  { point: 'before the answer', claimed: true },
];

const ground = await prepareWorld({ paymentTimes: { waitMs: 5_000, leaseMs: 700 } });
let service = await ground.start();
const { url } = service;
const poster = await registerPoster(url);

/** Creates a draft and a wallet that signed two payments for its prize. */
async function draft() {
  const drafted = expectStatus(
    await call(url, 'POST', '/posters/me/projects', { key: poster.key, body: brief() }),
    201,
  );
  const projectId = drafted.body.data.project.id as string;
  const payer = newPayer();
  await ground.mintUsdc(payer.address, FUNDS_MICRO);
  const publish = (headers: Record<string, string> = {}) =>
    call(url, 'POST', `/posters/me/projects/${projectId}/publish`, { key: poster.key, headers });
  const refusal = expectStatus(await publish(), 402);
  const [first, second] = [await signPayment(payer, refusal), await signPayment(payer, refusal)];
  return { projectId, payer, publish, first, second };
}

type Draft = Awaited<ReturnType<typeof draft>>;

async function dieAt(point: CrashPoint, { publish, first }: Draft): Promise<void> {
  await service.crashAt(point);
  await untilKilled(service, () => publish(first));
  await assertTermsWithOpening();
  service = await ground.start(Number(new URL(url).port));
}

/** A project has terms from the commit that opens it. A killed process leaves both or neither. */
async function assertTermsWithOpening(): Promise<void> {
  const halves = await ground.db`
    select from projects p where (p.status = 'open')
      <> (p.terms_hash is not null and exists (select 1 from project_terms where project_id = p.id))`;
  assert.equal(halves.count, 0, 'terms and opening come together');
}

async function assertOpenedOnce({ projectId, payer, publish, first, second }: Draft): Promise<void> {
  for (const headers of [first, second, {}]) {
    const again = expectStatus(await publish(headers), 200);
    assert.equal(again.body.data.project.status, 'open');
  }
  assert.equal(await ground.chain.balanceMicro(payer.address), FUNDS_MICRO - PRIZE_MICRO, 'one prize left the wallet');
  const payments = await ground.db`
    select y.state, y.late, y.terms_hash = t.hash as "namesTerms" from payments y
    left join project_terms t on t.project_id = y.subject_id and t.version = 1 where y.subject_id = ${projectId}`;
  assert.deepEqual(
    payments.map((row) => ({ ...row })),
    [{ state: 'settled', late: false, namesTerms: true }],
  );
  const opened = await ground.db`
    select at from project_transitions where project_id = ${projectId} and from_status = 'draft' and to_status = 'open'`;
  assert.equal(opened.length, 1, 'opened once');
  const terms = await ground.db`
    select t.version, t.hash = p.terms_hash as current from project_terms t join projects p on p.id = t.project_id
    where p.id = ${projectId}`;
  assert.deepEqual(
    terms.map((row) => ({ ...row })),
    [{ version: 1, current: true }],
    'one version of the terms',
  );

  const books = await ledger({ url, operatorKey: ground.operatorKey });
  assert.deepEqual(books.problems, []);
  assert.deepEqual([books.balanced, books.chain_matches, books.unknown_payments], [true, true, 0]);
  const escrow = books.accounts.find(({ account }) => account === `escrow:${projectId}`);
  assert.equal(escrow?.balance_micro, PRIZE_MICRO);
}

for (const { point, claimed } of points) {
  describe(`a crash ${point}`, () => {
    it('takes one prize if the client sends the same payment again', async () => {
      const drafted = await draft();
      await dieAt(point, drafted);
      expectStatus(await untilSettled(() => drafted.publish(drafted.first)), 200);
      await assertOpenedOnce(drafted);
    });

    it('takes one prize if the client requests a new quote and signs a second payment', async () => {
      const drafted = await draft();
      await dieAt(point, drafted);
      const [asked, signed] = await Promise.all([
        untilSettled(() => drafted.publish()),
        untilSettled(() => drafted.publish(drafted.second)),
      ]);
      // After the claim, the service must not answer with a new 402. Before it, a 402 is correct.
      if (claimed) expectStatus(asked, 200);
      else assert.ok([200, 402].includes(asked.status), JSON.stringify(asked.body));
      expectStatus(signed, 200);
      await assertOpenedOnce(drafted);
    });
  });
}

describe('a crash between the commit of a publication and its confirmation', () => {
  it('lets agents that polled before the commit find the project later', async () => {
    const drafted = await draft();
    const { projectId } = drafted;
    // The first commit with an id is that of the claim.
    await service.crashAt('after the commit', 2);
    await untilKilled(service, () => drafted.publish(drafted.first));
    const unconfirmed = await ground.db`
      select from publication_clock, projects where id = ${projectId} and unconfirmed_at = published_at`;
    assert.equal(unconfirmed.count, 1);
    // As if the commit had taken a minute, and the process had died then.
    const stamp = new Date(Date.now() - 60_000);
    await ground.db`update projects set published_at = ${stamp}, visible_at = ${stamp} where id = ${projectId}`;
    await ground.db`
      update project_listings set published_at = ${stamp}, visible_at = ${stamp} where project_id = ${projectId}`;
    await ground.db`update publication_clock set newest_at = ${stamp}, unconfirmed_at = ${stamp}`;
    service = await ground.start(Number(new URL(url).port));
    const { key } = await registerAgent(url);
    const polledAt = new Date(stamp.getTime() + 30_000).toISOString();
    const poll = async () => {
      const query = new URLSearchParams({ status: 'open', created_after: polledAt, limit: '50' });
      const answer = expectStatus(await call(url, 'GET', `/agents/projects?${query.toString()}`, { key }), 200);
      const { projects } = answer.body.data as { projects: { id: string }[] };
      assert.ok(projects.some(({ id }) => id === projectId));
    };
    await poll();
    await until('the confirmation', async () => {
      const [clock] = await ground.db<[{ at: Date | null }]>`select unconfirmed_at as at from publication_clock`;
      return clock.at === null;
    });
    await poll();
  });
});

describe('a crash while the process holds the lane of the signing key', () => {
  it('loses no payment and does not delay the next ones', async () => {
    const [interrupted, next] = [await draft(), await draft()];
    await dieAt('with the lane taken', interrupted);
    const answers = await Promise.all([
      untilSettled(() => interrupted.publish(interrupted.first)),
      untilSettled(() => next.publish(next.first)),
    ]);
    for (const answer of answers) expectStatus(answer, 200);
    await assertOpenedOnce(interrupted);
    await assertOpenedOnce(next);
  });
});
