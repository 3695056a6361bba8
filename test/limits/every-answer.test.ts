import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../../contract/operations.ts';
import type { Answer } from '../support/clients/client.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { failingDatabase } from '../support/failing-database.ts';
import { registerAgent } from '../support/clients/journey.ts';
import { told } from '../support/clients/limit-headers.ts';
import { callOperation } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import type { Db } from '../../server/ports/database.ts';

let isGone = false;

const gone = Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' });
const mortal = (db: Db) => failingDatabase(db, () => (isGone ? gone : null));

const many = Object.fromEntries(
  ['AGENT_OPERATIONS_PER_HOUR', 'AGENT_READS_PER_MINUTE', 'AGENT_ACCOUNT_PER_MINUTE', 'PAYMENTS_PER_HOUR'].map(
    (name) => [`LIMIT_${name}`, '1000'],
  ),
);
const { url, service } = await startWorld({
  env: { ...many, LIMIT_FAILED_KEYS_PER_MINUTE: '1000' },
  wrap: ({ db, reads, views, searches, searchReads }) => ({
    db: mortal(db),
    reads: mortal(reads),
    views: mortal(views),
    searches: mortal(searches),
    searchReads: mortal(searchReads),
  }),
});

const agentSide = everyOperation.filter(({ auth, limits }) => auth === 'agent' && limits);

function isTold({ status, headers }: Pick<Answer, 'status' | 'headers'>, spec: { id: string }, name: string): void {
  assert.match(headers.get('ratelimit') ?? '', new RegExp(`"${name}";r=\\d+`), `${spec.id} ${status}`);
  assert.match(headers.get('ratelimit-policy') ?? '', new RegExp(`"${name}";q=\\d+`), `${spec.id} ${status}`);
  assert.ok(Number.isInteger(Number(headers.get('x-ratelimit-remaining') ?? 'none')), `${spec.id} ${status}`);
}

/** Blocks the event loop twice, long enough that its timer is late both times. */
async function blockEventLoop(): Promise<void> {
  await sleep(110);
  for (let turn = 0; turn < 2; turn += 1) {
    const end = performance.now() + 620;
    while (performance.now() < end);
    await sleep(1);
  }
}

describe('every answer of an agent’s operation reports its limits', () => {
  it('without a key, with a wrong key, when suspended, and with a malformed or too large body', async () => {
    const { key } = await registerAgent(url);
    const suspended = await registerAgent(url);
    await service.deps.db`update agents set status = 'suspended' where id = ${suspended.id}`;
    for (const spec of agentSide) {
      isTold(await callOperation(url, spec), spec, 'failedKeys');
      isTold(await callOperation(url, spec, { key: `${key}x` }), spec, 'failedKeys');
      isTold(await callOperation(url, spec, { key: suspended.key }), spec, spec.limits![0]!);
      if (!spec.body) continue;
      for (const raw of ['{', `{"a":"${'x'.repeat(70_000)}"}`])
        isTold(await callOperation(url, spec, { key, raw }), spec, spec.limits![0]!);
    }
  });

  it('when the database fails before the caller is identified', async () => {
    const { key } = await registerAgent(url);
    isGone = true;
    try {
      for (const spec of agentSide) {
        const answer = await callOperation(url, spec, { key });
        assert.deepEqual(
          [answer.status, answer.body.error?.code],
          [spec.databaseDown ?? 503, 'DATABASE_ERROR'],
          spec.id,
        );
        isTold(answer, spec, 'failedKeys');
      }
    } finally {
      isGone = false;
    }
  });

  it('when an overloaded service refuses the request, which is not counted', async () => {
    const { searchProjects } = operations;
    const { key } = await registerAgent(url);
    const before = told(await callOperation(url, searchProjects, { key }));
    await blockEventLoop();
    const refused = await fetch(`${url}/api/v1/agents/projects`, { headers: { authorization: `Bearer ${key}` } });
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5']);
    isTold(refused, searchProjects, 'agentReads');
    assert.equal(refused.headers.get('x-ratelimit-remaining'), String(before.remaining));
    const after = told(await callOperation(url, searchProjects, { key }));
    assert.equal(after.remaining, before.remaining - 1);
  });
});
