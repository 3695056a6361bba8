import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { migrate } from '../db/migrate.ts';
import { chainRecords, recordAudit, verifyChain } from './public.ts';

const { db } = await testDatabase({ last: '0032_grace_and_ended_requests.sql' });
const deps = { db, reads: db, newId: () => randomUUIDv7() };
const start = Date.parse('2026-11-01T12:00:00Z');

async function write(count: number, at = start): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await db.begin((tx) =>
      recordAudit(deps, tx, {
        at: new Date(at + n),
        actor: 'timer',
        action: 'payment.settle',
        subject: `payment:${n}`,
        details: { n },
      }),
    );
}

/** Changes the tables as somebody who owns the database could, looks for problems, and takes the change back. */
async function problemsAfter(...statements: string[]): Promise<string[]> {
  let problems: string[] = [];
  const undone = new Error('undone');
  await db
    .begin(async (tx) => {
      for (const statement of ['set local session_replication_role = replica', ...statements])
        await tx.unsafe(statement);
      // The report reads in the same transaction.
      ({ problems } = await verifyChain(tx as unknown as typeof db));
      throw undone;
    })
    .catch((error: unknown) => assert.equal(error, undone));
  return problems;
}

await write(4);
await migrate(db);
await write(4, start + 1_000);

it('chains the records of an older database and new ones, each once, also by two processes', async () => {
  const counts = await Promise.all([chainRecords(deps), chainRecords(deps), chainRecords(deps)]);
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    8,
  );
  assert.equal(await chainRecords(deps), 0);
  const report = await verifyChain(db);
  assert.deepEqual([report.records, report.head.seq, report.problems], [8, 8, []]);
  await write(1, start + 2_000);
  assert.deepEqual((await verifyChain(db)).problems, [], 'a record that waits for its place is no problem');
  await chainRecords(deps);
  assert.deepEqual((await verifyChain(db, report.head)).problems, []);
  const other = { seq: 8, hash: 'ab'.repeat(32) };
  assert.match((await verifyChain(db, other)).problems.join(), /place 8 has another hash than the one that was noted/);
});

it('names a changed, a removed, and an inserted record', async () => {
  const id = '(select id from audit_chain where seq = 3)';
  const [changed, ...others] = await problemsAfter(`update audit_trail set actor = 'operator:eve' where id = ${id}`);
  assert.match(changed!, /^record [0-9a-f-]{36} \(place 3\) was changed$/);
  assert.deepEqual(others, []);
  for (const part of ['action', 'subject', 'reason'])
    assert.equal((await problemsAfter(`update audit_trail set ${part} = 'x' where id = ${id}`)).length, 1, part);
  for (const set of [`at = at + interval '1 ms'`, `details = '{"n":7}'`])
    assert.equal((await problemsAfter(`update audit_trail set ${set} where id = ${id}`)).length, 1, set);
  assert.match((await problemsAfter(`delete from audit_trail where id = ${id}`)).join(), /\(place 3\) was removed$/);
  const insert = (at: string) =>
    `insert into audit_trail values ('${randomUUIDv7()}', ${at}, 'timer', 'a.b', 's:1', null, '{}')`;
  assert.match(
    (await problemsAfter(insert('now()'))).join(),
    /was inserted: it is in the audit trail, but not in the chain/,
  );
});

it('names a record that was removed with its place, and an end that was cut off', async () => {
  const gone = [
    'delete from audit_trail where id = (select id from audit_chain where seq = 3)',
    'delete from audit_chain where seq = 3',
  ];
  assert.match((await problemsAfter(...gone)).join(), /the chain lacks 3 to 3: records were removed/);
  const cut = [
    'delete from audit_trail where id = (select id from audit_chain where seq = 9)',
    'delete from audit_chain where seq = 9',
  ];
  assert.match((await problemsAfter(...cut)).join(), /the chain ends at place 8, but its head names place 9/);
  const { head } = await verifyChain(db);
  const whole = [...cut, 'update audit_head set last = 8, hash = (select hash from audit_chain where seq = 8)'];
  assert.deepEqual(await problemsAfter(...whole), [], 'only a noted head shows this');
  assert.match((await verifyChain(db, { seq: 99, hash: head.hash })).problems.join(), /before the noted place 99/);
});

it('refuses changes of the chain, and names a record with a time before the ones it follows', async () => {
  for (const statement of ['update audit_chain set seq = seq + 100', 'delete from audit_chain', 'truncate audit_chain'])
    await assert.rejects(db.unsafe(statement), /append-only/);
  await write(1, start - 86_400_000);
  await chainRecords(deps);
  assert.match((await verifyChain(db)).problems.join(), /was inserted later: its time 2026-10-31T12:00:00.000Z/);
});
