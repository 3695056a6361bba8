import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import {
  brief,
  drawing,
  expectStatus,
  openProject,
  registerAgent,
  registerPoster,
} from '../support/clients/journey.ts';
import { newOperator } from '../support/clients/operators.ts';
import { until } from '../support/processes/processes.ts';
import { ownProject } from '../support/endings/ending.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The operator's lists by day and by amount.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const USDC = 1_000_000;

const world = await startWorld({
  env: { APPROVAL_USDC: '20', AUTO_PAYOUT_HOLD_HOURS: '24', LIMIT_REGISTRATIONS_PER_HOUR: '1000' },
});
const { url, operatorKey: key, clock } = world;

type Row = Record<string, unknown>;
const get = async (path: string) => expectStatus(await call(url, 'GET', `/operator${path}`, { key }), 200).body.data;
const rowsOf = async (list: string, name: string, query: Record<string, string> = {}): Promise<Row[]> =>
  (await get(`/${list}?${new URLSearchParams(query).toString()}`))[name];

const LISTS = [
  { list: 'projects', rows: 'projects', time: 'created_at' },
  { list: 'agents', rows: 'agents', time: 'created_at' },
  { list: 'posters', rows: 'posters', time: 'created_at' },
  { list: 'flags', rows: 'flags', time: 'created_at' },
  { list: 'objections', rows: 'objections', time: 'created_at' },
  { list: 'approvals', rows: 'approvals', time: 'requested_at' },
  { list: 'webhooks/deliveries', rows: 'deliveries', time: 'created_at' },
] as const;

/** One row at least in each list: an entry and its copy, an objection, an act that waits, and a delivery that failed. */
async function seed(): Promise<void> {
  const deaf = createServer((_, response) => response.writeHead(500).end());
  await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
  after(() => deaf.close());
  const subscriber = await registerAgent(url);
  const body = { webhook_url: `http://127.0.0.1:${(deaf.address() as AddressInfo).port}/hooks` };
  expectStatus(await call(url, 'POST', '/agents/webhooks/projects', { key: subscriber.key, body }), 201);

  const deadline = new Date(clock.now().getTime() + HOUR_MS);
  const silent = await openProject(world, { prizeUsdc: 4, deadline, fields: { judging_hours: 1 } });
  const picture = await drawing(1);
  const first = await enter(world, silent, { picture });
  await enter(world, silent, { picture });
  await until('the flag', async () => (await rowsOf('flags', 'flags')).length > 0);
  await until('a failed delivery', async () => (await rowsOf('webhooks/deliveries', 'deliveries')).length > 0);

  const dear = await openProject(world, { prizeUsdc: 30 });
  const { key: second } = await newOperator(world, 'money');
  const cancel = { key: second, body: { reason: 'Asked for stolen work' } };
  expectStatus(await call(url, 'POST', `/operator/projects/${dear.id}/cancel`, cancel), 202);

  clock.offsetMs += HOUR_MS;
  await until('judging', async () => (await ownProject(world, silent))['status'] === 'judging');
  clock.offsetMs += HOUR_MS;
  await until('a result on hold', async () => (await ownProject(world, silent))['result_on_hold'] !== null);
  const objection = { key: first.key, body: { reason: 'The second entry is a copy of mine' } };
  expectStatus(await call(url, 'POST', `/agents/me/submissions/${first.submissionId}/objection`, objection), 201);
}

await seed();

const dayOf = (time: unknown, moreMs = 0) => new Date(Date.parse(String(time)) + moreMs).toISOString().slice(0, 10);

describe('the days of a list', () => {
  for (const { list, rows, time } of LISTS)
    it(`bound ${list}`, async () => {
      const all = await rowsOf(list, rows);
      const times = all.map((row) => String(row[time])).toSorted();
      const [oldest, newest] = [times[0], times.at(-1)];
      assert.ok(oldest && newest);
      const found = async (query: Record<string, string>) => (await rowsOf(list, rows, query)).length;
      assert.equal(await found({ from: dayOf(oldest), to: dayOf(newest) }), all.length);
      assert.equal(await found({ from: dayOf(newest, DAY_MS) }), 0);
      assert.equal(await found({ to: dayOf(oldest, -DAY_MS) }), 0);
      // The last day is included to its end.
      assert.ok((await found({ from: dayOf(newest), to: dayOf(newest) })) > 0);
      codeIs(await call(url, 'GET', `/operator/${list}?from=yesterday`, { key }), 400, 'INVALID_PARAMETER');
    });
});

describe('the amounts of a list', () => {
  const prizes = async (query: Record<string, string>) =>
    (await rowsOf('projects', 'projects', query)).map(({ prize_micro: micro }) => Number(micro) / USDC);

  it('bound the prizes of projects, drafts included', async () => {
    const poster = await registerPoster(url);
    const draft = {
      key: poster.key,
      body: brief({
        prizeUsdc: 7,
        deadline: new Date(clock.now().getTime() + DAY_MS),
        fields: { title: 'A draft of a bridge' },
      }),
    };
    expectStatus(await call(url, 'POST', '/posters/me/projects', draft), 201);
    assert.deepEqual(await prizes({ min_usdc: '4' }), [7, 30, 4]);
    assert.deepEqual(await prizes({ min_usdc: '4.000001', max_usdc: '29.999999' }), [7]);
    assert.deepEqual(await prizes({ max_usdc: '3' }), []);
    assert.deepEqual(await prizes({ min_usdc: '4', status: 'draft' }), [7]);
    assert.deepEqual(await prizes({ min_usdc: '4', search: 'bridge' }), [7]);
    assert.deepEqual(await prizes({ max_usdc: '7', poster_id: poster.id }), [7]);
    assert.deepEqual(await prizes({ min_usdc: '4', from: '2100-01-01' }), []);
    codeIs(await call(url, 'GET', '/operator/projects?min_usdc=much', { key }), 400, 'INVALID_PARAMETER');
  });

  it('bound what acts would move', async () => {
    const amounts = async (query: Record<string, string>) =>
      (await rowsOf('approvals', 'approvals', query)).map(({ amount_micro: micro }) => Number(micro) / USDC);
    const [amount] = await amounts({});
    assert.ok(amount !== undefined && amount >= 28.5);
    assert.deepEqual(await amounts({ min_usdc: String(amount), max_usdc: String(amount) }), [amount]);
    assert.deepEqual(await amounts({ min_usdc: String(amount + 1) }), []);
    assert.deepEqual(await amounts({ max_usdc: '1' }), []);
  });

  it('name the project and its poster in an act that waits', async () => {
    const [approval] = await rowsOf('approvals', 'approvals');
    assert.ok(approval);
    const { project, poster, agent } = approval['parties'] as Record<string, { id: string; name: string } | null>;
    assert.equal(approval['subject'], `project:${project?.id}`);
    assert.ok(project?.name && poster?.name);
    assert.equal(agent, null);
  });

  it('come page by page', async () => {
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const page: { projects: Row[]; next_cursor: string | null } = await get(
        `/projects?limit=1&min_usdc=4${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...page.projects.map(({ prize_micro: micro }) => Number(micro) / USDC));
      cursor = page.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(seen, [7, 30, 4]);
  });
});
