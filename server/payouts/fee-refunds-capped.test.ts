import assert from 'node:assert/strict';
import { it } from 'node:test';
import { collect, pay, type Wallet } from '../../test/support/worlds/payment-world.ts';
import { payoutsWorld } from '../../test/support/worlds/payouts-world.ts';

const USDC = 1_000_000;
const DAY_SECONDS = 86_400;

const world = await payoutsWorld();
const { db, deps } = world;
/** One party gets a tenth of the day's cap: 10 USDC. */
const capped = world.caps(10 * USDC, 100 * USDC);

/** Owes a payment of three days ago back to its payer, as the refund of a prize or of an entry fee. */
async function refund(
  amountMicro: number,
  { projectId, submissionId }: { projectId: string; submissionId: string | null },
): Promise<Wallet> {
  const payer = await world.wallet(amountMicro);
  const quote = world.quote({ amountMicro });
  const lock = async () => () => ({ refused: 'the project is cancelled' });
  const { entry_fee, escrow } = deps.payments.subjects;
  const subjects = { entry_fee: { ...entry_fee, lock }, escrow: { ...escrow, lock } };
  const of = world.with({ payments: { ...deps.payments, subjects } });
  await assert.rejects(collect(of, quote, await pay(payer, quote)), { code: 'PAYMENT_FAILED' });
  await db`
    update payouts set project_id = ${projectId}, submission_id = ${submissionId},
      poster_id = (select poster_id from projects where id = ${projectId}),
      deposited_at = ${new Date(deps.clock.now().getTime() - 3 * DAY_SECONDS * 1000)}
    where recipient = ${payer.address}`;
  return payer;
}

it('what goes back to a poster holds no entry fee that goes back', async () => {
  const { projectId, submissionId } = await world.project();
  const ofPoster = { projectId, submissionId: null };
  const ofEntrant = { projectId, submissionId };
  const payers = [await refund(9 * USDC, ofPoster)];
  for (let count = 0; count < 3; count += 1) payers.push(await refund(4 * USDC, ofEntrant));
  // The fees use nothing of the poster's room, which still has its bound.
  payers.push(await refund(USDC, ofPoster), await refund(USDC, ofPoster));
  // The window of the caps, a UTC day, does not end while the refunds are sent.
  const now = deps.clock.now().getTime() / 1000;
  await world.pass(Math.ceil((Math.floor(now / DAY_SECONDS) + 1) * DAY_SECONDS - now) + 1);
  await world.send(capped);
  const rows = await db<{ recipient: string; state: string; note: string | null }[]>`
    select recipient, state, note from payouts`;
  const shown = new Map(rows.map(({ recipient, state, note }) => [recipient, note ?? state]));
  assert.deepEqual(
    payers.map(({ address }) => shown.get(address)),
    ['settled', 'settled', 'settled', 'settled', 'settled', 'over the daily cap of one poster'],
  );
});
