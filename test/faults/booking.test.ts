import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newPayer, signPayment } from '../support/clients/client.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  ledger,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { toldEvents } from '../support/told-events.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import type { Db } from '../../server/ports/database.ts';

// One transaction books a fee and stores the expected upload. Its connection can break before or after the commit.

const FEE_MICRO = 250_000;

let settled = false;
let lost: 'before it is committed' | 'after it is committed' | null = null;

function broken(): Error {
  return Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' });
}

/**
 * Loses the first transaction after the settlement: it rolls back, or it commits and the service does not learn of it.
 */
function losing(db: Db): Db {
  const begin = async (work: (tx: unknown) => Promise<unknown>) => {
    if (!settled || lost === null) return await db.begin(work as never);
    const when = lost;
    lost = null;
    await db.begin(async (tx) => {
      const result = await work(tx);
      if (when === 'before it is committed') throw broken();
      return result;
    });
    throw broken();
  };
  return new Proxy(db, {
    get: (target, name) => (name === 'begin' ? begin : (Reflect.get(target, name) as unknown)),
  });
}

const world = await startWorld({
  wrap: ({ db, facilitator }) => ({
    db: losing(db),
    facilitator: {
      ...facilitator,
      async settle(payment, prepared) {
        const settlement = await facilitator.settle(payment, prepared);
        settled = true;
        return settlement;
      },
    },
  }),
});
const { url, service, chain } = world;

describe('a booking whose connection breaks', async () => {
  const project = await openProject({ url, mintUsdc: chain.mintUsdc }, { entryFeeUsdc: FEE_MICRO / 1e6 });
  const picture = await testPicture();

  for (const when of ['before it is committed', 'after it is committed'] as const)
    it(`${when}: takes one fee and accepts the upload that the answer names`, async () => {
      const { key } = await registerAgent(url);
      const intent = await createIntent(url, key, project.id);
      const payer = newPayer();
      await chain.mintUsdc(payer.address, 1_000_000);
      const ask = (headers: Record<string, string> = {}) =>
        requestUpload(url, {
          key,
          projectId: project.id,
          submissionId: intent.id,
          sizeBytes: picture.length,
          headers,
        });
      const signed = await signPayment(payer, expectStatus(await ask(), 402));
      settled = false;
      lost = when;
      const granted = expectStatus(await ask(signed), 200);
      assert.equal(lost, null, 'the fault came to pass');
      const { mediaFileId, uploadUrl } = granted.body.data;
      const files = await service.deps.db`
        select id, status from media_files where submission_id = ${intent.id} and status = 'pending'`;
      assert.deepEqual([...files], [{ id: mediaFileId, status: 'pending' }]);
      assert.equal(await putPicture(uploadUrl, picture), 200);
      expectStatus(await confirm(url, key, project.id, intent.id), 200);
      const paid = await service.deps.db`select state, late from payments where subject_id = ${intent.id}`;
      assert.deepEqual([...paid], [{ state: 'settled', late: false }]);
      const [{ id: paymentId } = { id: '' }] = await service.deps.db<{ id: string }[]>`
        select id from payments where subject_id = ${intent.id}`;
      const alerts = await toldEvents(service.deps.db, 'ALERT.PAYMENT_NOT_BOOKED', { subject: `payment:${paymentId}` });
      assert.equal(alerts.length, 1);
      const { balanced, chain_matches: chainMatches } = await ledger(world);
      assert.deepEqual([balanced, chainMatches], [true, true]);
    });
});
