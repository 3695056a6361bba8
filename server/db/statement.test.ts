import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { Fragment } from './database.ts';
import { createPool } from './pool.ts';
import { type Compiled, createTag } from './statement.ts';
import { withTransaction } from './transaction.ts';
import { testDatabase } from '../../test/support/test-database.ts';

/** Returns the statement that is sent. */
async function sentBy(work: (db: ReturnType<typeof createTag>) => PromiseLike<unknown>): Promise<Compiled> {
  const all: Compiled[] = [];
  const db = createTag((statement) => {
    all.push(statement);
    return Promise.resolve(Object.assign([], { count: 0 }));
  });
  await work(db);
  assert.equal(all.length, 1);
  return all[0]!;
}

it('values are parameters; names, rows, and other statements are parts of the text', async () => {
  const at = new Date('2026-11-28T12:00:00.000Z');
  const sent = await sentBy(
    (db) => db`
      with new as (insert into t ${db(
        [
          { a: 1, usedAt: null, c: 'left out' },
          { a: 2, usedAt: at },
        ] as object[] as { a: 1; usedAt: null }[],
        'a',
        'usedAt',
      )})
      update t set ${db.set({ 'odd"name': db.json([1]), n: db`n + ${1}` })} where ${db`id = any(${['x', 'y']})`} ${db``}
      returning ${db(['a', 'b'])}, ${db('c')}`,
  );
  assert.equal(
    sent.text.replaceAll(/\s+/g, ' ').trim(),
    'with new as (insert into t ("a", "used_at") values ($1, $2), ($3, $4)) ' +
      'update t set "odd""name" = $5, "n" = n + $6 where id = any($7) returning "a", "b", "c"',
  );
  assert.deepEqual(sent.values, [1, null, 2, at.toISOString(), '[1]', 1, ['x', 'y']]);
});

it('one place in the code can take a parameter, and then a part of a text', async () => {
  const find = (db: ReturnType<typeof createTag>, id: string | Fragment) => db`select ${id}`;
  assert.equal((await sentBy((db) => find(db, 'a'))).text, 'select $1');
  assert.equal((await sentBy((db) => find(db, db`b`))).text, 'select b');
});

it('a text has one name, is sent once, and only when somebody waits for it', async () => {
  const sends: Compiled[] = [];
  const db = createTag((statement) => {
    sends.push(statement);
    return Promise.resolve(Object.assign([], { count: 0 }));
  });
  const ask = (n: number) => db`select ${n}::int`;
  void ask(0);
  const twice = ask(1);
  await Promise.all([twice, twice]);
  await ask(2);
  await db`select ${3}::integer`;
  assert.equal(sends.length, 3);
  assert.equal(sends[0]?.name, sends[1]?.name);
  assert.notEqual(sends[0]?.name, sends[2]?.name);
  assert.equal((await sentBy((other) => other.unsafe('select $1', [1]))).name, undefined);
  await assert.rejects(async () => await db`select ${undefined as unknown as null}`, /undefined/);
});

it('rows have the types of the service', async () => {
  const { url } = await testDatabase({ empty: true });
  const pools = [createPool({ url, connections: 1 }), createPool({ url, connections: 1, prepare: false })];
  after(() => Promise.all(pools.map((pool) => pool.end())));
  for (const db of pools) {
    const at = new Date('2026-11-28T12:00:00.123Z');
    const [row] = await db`
      select ${2 ** 53 - 1}::bigint as big, ${[1, null]}::bigint[] as bigs, ${'1.10'}::numeric as exact, ${at}::timestamptz as at,
        ${[at]}::timestamptz[] as times, '2026-11-28'::date as day, ${Buffer.from([0, 255])}::bytea as bytes,
        ${db.json({ a: [null, 'x'] })}::jsonb as json, ${['a,"b', null]}::text[] as texts, ${true}::boolean as yes, null as nothing`;
    assert.deepEqual(row, {
      big: 2 ** 53 - 1,
      bigs: [1, null],
      exact: '1.10',
      at,
      times: [at],
      day: new Date('2026-11-28T00:00:00Z'),
      bytes: Buffer.from([0, 255]),
      json: { a: [null, 'x'] },
      texts: ['a,"b', null],
      yes: true,
      nothing: null,
    });
    await assert.rejects(async () => await db`select 9007199254740992::bigint`, RangeError);
    await db`create table counted as select n from generate_series(1, 3) n`;
    assert.equal((await db`update counted set n = 0 where n > 1`).count, 2);
    await db.unsafe('drop table counted; select 1');
    assert.deepEqual(await Promise.all([1, 2].map((n) => db`select ${n}::integer as n`)), [[{ n: 1 }], [{ n: 2 }]]);
  }
});

it('a statement that was prepared under another schema runs again', async () => {
  const { url } = await testDatabase({ empty: true });
  const [db, admin] = [createPool({ url, connections: 1 }), createPool({ url, connections: 1 })];
  after(() => Promise.all([db.end(), admin.end()]));
  await admin`create table changing as select 1 as a`;
  const ask = () => db`select * from changing`;
  assert.deepEqual(await ask(), [{ a: 1 }]);
  await admin`alter table changing add b integer`;
  assert.deepEqual(await ask(), [{ a: 1, b: null }]);
  await ask();
  await admin`alter table changing add c integer`;
  const [row] = await withTransaction(db, (tx) => tx`select * from changing`);
  assert.deepEqual(row, { a: 1, b: null, c: null });
});
