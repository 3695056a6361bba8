import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { overviewOperations } from '../../contract/operator/overview.ts';
import { call } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import { expectStatus, openProject } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The overview names the parts of the machine: dependencies, jobs, lanes, and queues.

const world = await startWorld();
const { url, operatorKey: key, service, clock } = world;
const { db } = service.deps;
const MINUTE_MS = 60_000;

type Machine = ReturnType<(typeof overviewOperations.getOverview)['output']['parse']>['machine'];

const machine = async (): Promise<Machine> =>
  expectStatus(await call(url, 'GET', '/operator/overview', { key }), 200).body.data.machine;

describe('the machine', () => {
  it('names the dependencies of the process, and whether they answer', async () => {
    const { dependencies, checked_at: at } = await machine();
    assert.deepEqual(
      dependencies.map(({ dependency, up }) => [dependency, up]),
      ['database', 'storage', 'chain', 'facilitator'].map((name) => [name, true]),
    );
    assert.ok(dependencies.every(({ seconds }) => seconds >= 0 && seconds < 3));
    assert.ok(Math.abs(clock.now().getTime() - new Date(at).getTime()) <= MINUTE_MS);
  });

  it('asks again after a while', async () => {
    const { checked_at: first } = await machine();
    clock.offsetMs += 2 * MINUTE_MS;
    const { checked_at: later } = await machine();
    assert.ok(new Date(later).getTime() - new Date(first).getTime() >= 2 * MINUTE_MS - 10_000, `${first} ${later}`);
  });

  it('lists the jobs with their newest runs', async () => {
    const jobs = await until('runs', async () => {
      const found = (await machine()).jobs;
      const ended = found.find(({ job }) => job === 'send payouts')?.ended_at ?? null;
      return ended !== null && found;
    });
    const names = jobs.map(({ job }) => job);
    assert.equal(new Set(names).size, names.length);
    for (const name of ['compare with the chain', 'number events', 'send emails', 'check the ledger'])
      assert.ok(names.includes(name), names.join());
    const payouts = jobs.find(({ job }) => job === 'send payouts');
    assert.deepEqual([payouts?.every_seconds, payouts?.failures, payouts?.failed_at], [1, 0, null]);
  });

  it('shows the keys that broadcast, with their gas and their lanes', async () => {
    await enter(world, await openProject(world));
    const lanes = await until('a free lane', async () => {
      const found = (await machine()).lanes;
      return found.length > 0 && found.every((lane) => lane.held_until === null) && found;
    });
    const [lane] = lanes;
    assert.match(lane?.address ?? '', /^0x[0-9a-fA-F]{40}$/);
    assert.equal(lane?.usable, true);
    assert.ok(BigInt(lane.gas_wei ?? 0) > 0n);
    const other = `0x${'ab'.repeat(20)}`;
    await db`
      insert into signer_lanes (address, holder, lease_until) values (${other}, 'another process', now() + interval '1 hour')`;
    const held = (await machine()).lanes.find(({ address }) => address === other);
    assert.ok(held && held.held_until !== null);
    assert.deepEqual([held.gas_wei, held.usable], [null, null], 'only its own process knows');
    await db`delete from signer_lanes where address = ${other}`;
  });

  it('counts what waits in the queues', async () => {
    const emails = async () => (await machine()).queues.find(({ queue }) => queue === 'emails');
    assert.deepEqual(await emails(), { queue: 'emails', waiting: 0, oldest_at: null });
    const at = new Date(clock.now().getTime() - MINUTE_MS);
    // Without a mail server, nobody sends it.
    await db`
      insert into mail_outbox (id, kind, account_kind, account_id, address, mailbox, created_at, due_at)
      values (uuidv7(), 'events', 'agent', uuidv7(), 'a@example.com', 'a@example.com', ${at}, ${at})`;
    assert.deepEqual(await emails(), { queue: 'emails', waiting: 1, oldest_at: at.toISOString() });
  });
});
