import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Db } from '../../ports/database.ts';
import { migrate } from '../migrate.ts';
import { createPool } from '../pool.ts';
import { testDatabase } from '../../../test/support/test-database.ts';

/** The rows of `migrations` after version 0.1.0 had applied all of its files. */
const APPLIED_BY_010 = `
  0001_agents_posters 394f77703abed1d6fc441170206b81b183c75aadf5d290f846e9feefb1f58be3
  0002_ledger_payments 6c21d17fb9b8c75d66b8fb92489e46adff74b05b8904b9c47b86276a791e298f
  0003_projects_submissions 9688d01ede4e1ba9b78de46e02cc83437aa1f039429211b408647c46dc759742
  0004_specializations 64c092dea4a058a46ec86441cc74134d7d93f60dbf86439b5aefb0592a2b1d3d
  0007_judging_and_money_out accb70c0fbd1ed8d695f80c171510235a8ba1cb56d8a7509713792fbe33c61f9
  0008_agent_results afa505e599dc1f7c24ae70b762f443eb27a614f43ed222fbd1977782f904e86a
  0009_ai_judging 7859c927d0907329439c74125646852ac6cfbe79b064b2c21016c3f4653bce18
  0011_books 513b21062760ccfb9f69b0827eb52e24292887075e36e2f876d9b78839d0ae2f
  0012_history af107192a4dab7970d1254d9d047103709dc3d9261a59c42d4061b85242145ba
  0013_webhooks 95dc95c0680b1d4fd2af5ad746b5b341c172b2e78be51687bf3bc2d783d6ee4e
  0014_withdrawals ecf2ae42ecf18d456de5d4aec5280955f4268cf4f2db1b2e1467d57e6fd670d8
  0016_webhook_leases 44c558786c5969690461edbe99e34b737175d281377aee9124d6cdfc7ef9f2a4
  0017_agent_settings 1c98ee5ce42d8ec77d255bdee1c7ae0bf05bb250ac59059b4c6c711e3b7f453a
  0017_open_projects 0e1e3d8a41aee540d35d88738b7b22c7094c86e4bd99ef4edb48c2483460f488
  0018_account_figures 68690fd576b400df945c5b61ff80e888becb83729da1a0fdfd8893f6bd2ffb8d
  0020_idempotency_keys 5d8181560b5a9ccb659051e29b742a843d152f5c2188835e3c0cea1ccb638254
  0021_standing 23aa9faf951a71720b56bf0904ea926ecc6fa71bfa404b57bc61a589ded74726
  0022_originality 61a2d35fb69a68dd5eb6ca0ea264c946f03d5f9e8cd8c137e13f6715e7974ee7
  0023_market 6c70f4788a66b99b0fb490990b01cc3e49e27f2497d4c4c8b8ab483b33dee68f
  0024_poster_sessions 0d0b12e993c315fcc3637b7fef1759a4fd716ac25d834f54c6ae99c08a5b85fb
  0025_overview fa00a8e9f4c3d22fadd9fd3fbf73bae9656e1a143aaeb4a98b32bd0f37a19907
  0026_old_events 977c78ac5c70dd8c48b503399ab859cdf5d58a7f47cec38357a64779c67057d8
  0028_payment_signatures c9bc907a90a127d9ef431d8307e4a2ebb62ee392c584e54f579d6a67dfd3c953
  0029_sealed_signatures ef9a35df208ffb3a6932bbdbf5c8d0d58a273c3b5396d349260662c89a4f61f1
  0030_lane_holders da5bd07a19bd9548c453bb7e0c12af9b540a15345f6c5ac12702afcfdc1988a4
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' '))
  .map(([name = '', hash = '']) => ({ name: `${name}.sql`, hash }));

const LAST_BASELINE = '0013_judging.sql';

/** In which the schema of version 0.1.0 differed from the baselines, apart from the order of columns. */
const AS_IN_010 = `
  create table signature_sealing (
    single boolean primary key default true check (single),
    created_at timestamptz,
    payment_id uuid
  );
  insert into signature_sealing default values;
  create or replace function payment_settled_is_final() returns trigger language plpgsql as $$
  declare
    places text[] := '{payload,signature}';
  begin
    if tg_op = 'UPDATE' and old.signature is null and new.signature is not null
      and old.payload #> '{payload,signature}' is not null and new.payload = old.payload #- '{payload,signature}'
      and to_jsonb(new) - places = to_jsonb(old) - places then
      return new;
    end if;
    raise exception 'payment % is settled', old.id;
  end $$;
  alter table webhooks drop constraint webhooks_wanted;
  alter table webhooks add constraint webhooks_wanted
    check (num_nulls(wanted_min_micro, wanted_max_micro, wanted_categories) in (0, 3)) not valid;`;

/**
 * A database as version 0.1.0 left it. Its 25 files are not in the repository any more, so this starts from the baselines.
 * When they replaced the files, a comparison of the dumped schemas found the differences above and no others.
 */
async function databaseOf010(): Promise<{ db: Db; url: string; baselines: Recorded[] }> {
  const { db, url } = await testDatabase({ last: LAST_BASELINE });
  const baselines = await recorded(db);
  await db.unsafe(AS_IN_010);
  await db`delete from migrations`;
  await db`insert into migrations ${db(APPLIED_BY_010)}`;
  return { db, url, baselines };
}

type Recorded = { name: string; hash: string };

const recorded = async (db: Db): Promise<Recorded[]> => [
  ...(await db<Recorded[]>`select name, hash from migrations order by name`),
];

/** Returns everything that the migrations create, except partitions and the order of columns. */
async function schemaOf(db: Db): Promise<string[]> {
  const rows = await db<{ definition: string }[]>`
    with own as (
      select oid, relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    )
    select concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid)) as definition
    from own join pg_attribute on attrelid = own.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on (adrelid, adnum) = (attrelid, attnum)
    union all
    select concat_ws(' ', relname, conname, convalidated, pg_get_constraintdef(c.oid)) from own join pg_constraint c on conrelid = own.oid
    union all
    select pg_get_indexdef(indexrelid) from own join pg_index on indrelid = own.oid
    union all
    select pg_get_triggerdef(t.oid) from own join pg_trigger t on tgrelid = own.oid where not tgisinternal
    union all
    select concat_ws(' ', proname, prosrc) from pg_proc where pronamespace = 'public'::regnamespace
    order by 1`;
  return rows.map(({ definition }) => definition);
}

describe('a database of version 0.1.0', () => {
  it('is adopted with its rows, once, when two processes start at the same time', async () => {
    const newest = (await testDatabase()).db;
    const [fresh, files] = [await schemaOf(newest), await recorded(newest)];
    const later = files.map(({ name }) => name).filter((name) => name > LAST_BASELINE);
    const { db, url } = await databaseOf010();
    assert.notDeepEqual(await schemaOf(db), fresh);
    await db`insert into posters (id, name, created_at) values (gen_random_uuid(), 'An old poster', now())`;
    const processes = [createPool({ url, connections: 2 }), createPool({ url, connections: 2 })];
    try {
      const applied = await Promise.all(processes.map((pool) => migrate(pool)));
      assert.deepEqual(applied.flat().toSorted(), later);
    } finally {
      await Promise.all(processes.map((pool) => pool.end()));
    }
    assert.deepEqual(await schemaOf(db), fresh);
    assert.deepEqual(await recorded(db), files);
    assert.equal((await db`select 1 from posters where name = 'An old poster'`).length, 1);
    assert.equal((await db`select 1 from specializations`).length, 34);
    assert.deepEqual(await migrate(db), []);
  });

  it('is refused as it is when it is not ready, and the error says what to do', async () => {
    const { db, baselines } = await databaseOf010();
    const before = await schemaOf(db);
    const refuses = async (message: RegExp) => {
      const rows = await recorded(db);
      await assert.rejects(migrate(db), { message });
      assert.deepEqual([await schemaOf(db), await recorded(db)], [before, rows]);
    };

    await db`delete from migrations where name >= '0028'`;
    await refuses(
      /has 22 of the 25 migrations of version 0\.1\.0\. Start version 0\.1\.0 once, .* then start version \d/,
    );
    await db`insert into migrations ${db(APPLIED_BY_010.slice(-3))}`;

    await db`update migrations set hash = 'other' where name = '0011_books.sql'`;
    await refuses(/other files than those of version 0\.1\.0, so its schema is unknown\. Restore a backup/);
    await db`update migrations set hash = ${APPLIED_BY_010[7]?.hash ?? ''} where name = '0011_books.sql'`;

    await db`insert into migrations (name, hash) values ('9999_newer.sql', 'any')`;
    await refuses(/has the migration 9999_newer\.sql, which this version does not know\. Start the version/);
    await db`delete from migrations where name = '9999_newer.sql'`;

    await insertOpenPayment(db);
    await refuses(/not encrypted yet\. Start version 0\.1\.0 and let its job "seal signatures" finish/);
    await db`update payments set payload = '{}', signature = '\\x00'`;

    await migrate(db, { last: LAST_BASELINE });
    assert.deepEqual(await recorded(db), baselines);
  });
});

/** A payment whose signature is still in its payload, as it was before signatures had their own column. */
async function insertOpenPayment(db: Db): Promise<void> {
  const address = `0x${'ab'.repeat(20)}`;
  await db`
    insert into payments ${db({
      id: '01900000-0000-7000-8000-000000000001',
      kind: 'escrow',
      subject_id: '01900000-0000-7000-8000-000000000002',
      network: 'eip155:84532',
      asset: address,
      payer: address,
      pay_to: address,
      amount_micro: 1,
      auth_nonce: `0x${'cd'.repeat(32)}`,
      valid_before: 1,
      x402_version: 2,
      payload: db.json({ payload: { signature: '0x12' } }),
      requirements: db.json({}),
      from_block: 1,
      state: 'failed',
      created_at: new Date(),
      updated_at: new Date(),
      sweep_at: new Date(),
    })}`;
}
