import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collect, faulty, noHooks, pay, paymentWorld, type TestRow } from '../../test/support/worlds/payment-world.ts';
import { findKeptPayment } from './queries.ts';
import { sealSignatures } from './seal-signatures.ts';
import { signedAgain } from './kept-payment.ts';

const HOUR_MS = 3_600_000;
const inMs = (ms: number) => ({ now: () => new Date(Date.now() + ms) });

describe('signatures that lie in their payloads, as before they were sealed', async () => {
  const world = await paymentWorld();
  const { db, deps } = world;
  const hasty = { ...deps.payments, waitMs: 200 };
  const seal = (atMs = HOUR_MS) => sealSignatures({ ...deps, clock: inMs(atMs) });
  const signatureOf = async (id: string) => {
    const [row] = await db<{ open: string | null; sealed: Buffer | null; all: string }[]>`
      select payload #>> '{payload,signature}' as open, signature as sealed, to_jsonb(payments)::text as all
      from payments where id = ${id}`;
    return row!;
  };
  /** All but where the signature lies. */
  const restOf = async (id: string) => {
    const [row] = await db<{ rest: unknown }[]>`
      select to_jsonb(payments) #- '{payload,payload,signature}' #- '{signature}' as rest from payments where id = ${id}`;
    return row!.rest;
  };

  /** As a version wrote it that knew no seals; triggers would not let it go back. */
  async function unsealed(id: string): Promise<string> {
    const { payload } = signedAgain(deps.paymentSeals, id, (await findKeptPayment(db, id))!);
    const { signature } = payload.payload as unknown as { signature: string };
    await db.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`
        update payments set signature = null, payload = jsonb_set(payload, '{payload,signature}', to_jsonb(${signature}::text))
        where id = ${id}`;
    });
    assert.equal((await signatureOf(id)).open, signature);
    return signature;
  }

  async function settled(version: 1 | 2 = 2): Promise<TestRow> {
    const quote = world.quote();
    await collect(deps, quote, await pay(await world.wallet(1_000_000), quote, version));
    return (await world.rows(quote.subjectId))[0]!;
  }

  it('are sealed where they are settled and final, and nothing else of the row changes', async () => {
    for (const version of [1, 2] as const) {
      const { id } = await settled(version);
      const signature = await unsealed(id);
      const before = await restOf(id);
      const opened = signedAgain(deps.paymentSeals, id, (await findKeptPayment(db, id))!);
      assert.equal(await seal(), 1);
      const { open, sealed, all } = await signatureOf(id);
      assert.equal(open, null);
      assert.ok(sealed !== null && !all.toLowerCase().includes(signature.slice(2, 40).toLowerCase()));
      assert.deepEqual(await restOf(id), before);
      assert.deepEqual(signedAgain(deps.paymentSeals, id, (await findKeptPayment(db, id))!), opened);
    }
    assert.equal(await seal(), 0);
    assert.deepEqual((await world.checkLedger()).problems, []);
  });

  it('are good afterwards: an undecided payment is settled with its own', async () => {
    const quote = world.quote();
    const gone = world.with({
      payments: hasty,
      facilitator: faulty(deps.facilitator, () => () => new Promise(() => {})),
    });
    const payment = await pay(await world.wallet(1_000_000), quote);
    await assert.rejects(collect(gone, quote, payment, noHooks), { code: 'PAYMENT_PENDING' });
    const { id } = (await world.rows(quote.subjectId))[0]!;
    await unsealed(id);
    assert.equal(await seal(), 1);
    await world.sweep({ clock: inMs(31_000) });
    assert.equal((await world.rows(quote.subjectId))[0]?.state, 'settled');
  });

  it('are looked for again among those that an old process still writes', async () => {
    const { id } = await settled();
    await unsealed(id);
    // What is younger than ten minutes may not be committed yet.
    assert.equal(await seal(9 * 60_000), 0);
    assert.notEqual((await signatureOf(id)).open, null);
    assert.equal(await seal(), 1);
    assert.equal((await signatureOf(id)).open, null);
  });

  it('of many payments are sealed batch by batch, each once, however many processes do it, and after a stop', async () => {
    const { id } = await settled();
    const signature = await unsealed(id);
    await db`
      insert into payments
      select (jsonb_populate_record(p, jsonb_build_object('id', uuidv7(), 'subject_id', uuidv7(), 'state', 'failed',
        'watched', false, 'tx_hash', null, 'log_index', null, 'block_number', null, 'settled_at', null,
        'auth_nonce', '0x' || encode(sha256(n::text::bytea), 'hex'),
        'created_at', p.created_at + make_interval(secs => (n / 3) * 0.001)))).*
      from payments p, generate_series(1, 1700) n where p.id = ${id}`;
    const stopped = new AbortController();
    stopped.abort();
    assert.equal(await sealSignatures({ ...deps, clock: inMs(HOUR_MS) }, stopped.signal), 0);
    const counts = await Promise.all([seal(), seal(), seal()]);
    const rest = await seal();
    assert.equal(
      counts.reduce((sum, count) => sum + count, rest),
      1701,
    );
    const left = await db`
      select 1 from payments where signature is null or to_jsonb(payments)::text like ${`%${signature.slice(2, 40)}%`}`;
    assert.equal(left.length, 0);
  });

  it('are all that may change of a settled payment', async () => {
    const { id } = await settled();
    const { sealed } = await signatureOf(id);
    const isFinal = { message: `payment ${id} is settled` };
    await assert.rejects(db`update payments set signature = null where id = ${id}`, isFinal);
    await assert.rejects(
      db`update payments set payload = payload #- '{payload,authorization}' where id = ${id}`,
      isFinal,
    );
    const open = await unsealed(id);
    const moved = db`payload = payload #- '{payload,signature}'`;
    for (const change of [
      db`signature = ${sealed}`,
      moved,
      db`${moved}, signature = null`,
      db`${moved}, signature = ${sealed}, amount_micro = amount_micro + 1`,
      db`${moved}, signature = ${sealed}, late = true`,
      db`payload = '{}', signature = ${sealed}`,
      db`payload = jsonb_set(payload, '{payload,signature}', '"0x00"'), signature = ${sealed}`,
    ])
      await assert.rejects(db`update payments set ${change} where id = ${id}`, isFinal);
    await assert.rejects(db`delete from payments where id = ${id}`, isFinal);
    assert.equal((await signatureOf(id)).open, open);
    await db`update payments set ${moved}, signature = ${sealed} where id = ${id}`;
  });
});
