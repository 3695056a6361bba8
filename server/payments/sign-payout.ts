import type { Deps } from '../deps.ts';
import { alertOperator } from '../events/public.ts';
import type { PaymentDeps } from './deps.ts';
import { insertPayment, type PaymentRow, renewSigned } from './queries.ts';
import { sealPayment, UNSIGNED } from './sealed-payment.ts';
import { isOutgoing } from '../x402/public.ts';
import type { Tx } from '../db/database.ts';
import {
  type X402Payment,
  type OutgoingTransfer,
  SignedElsewhere,
  SignerRefused,
  SignerUnavailable,
} from '../x402/types.ts';

/** How long an authorization of the treasury can execute: long enough to outlast an outage of the facilitator. */
const AUTHORIZATION_SECONDS = 3600;

type ClaimedTransfer = Pick<OutgoingTransfer, 'kind' | 'subjectId' | 'recipient' | 'amountMicro' | 'nonce'>;

/**
 * Claims a transfer out of the treasury, in the transaction that marks its payout as being sent. Nothing is signed before that
 * transaction commits. Resolves to null when the payout or the nonce has a payment already.
 *
 * @param fromBlock the chain's `searchStart` of before the transaction
 */
export async function claimOutgoing(
  deps: PaymentDeps & Pick<Deps, 'network'>,
  tx: Tx,
  { recipient, nonce, ...transfer }: ClaimedTransfer,
  fromBlock: number,
): Promise<PaymentRow | null> {
  const now = deps.clock.now();
  return await insertPayment(tx, {
    ...transfer,
    id: deps.newId(),
    network: deps.network.id,
    asset: deps.network.usdc.address,
    payer: deps.treasury.address,
    payTo: recipient,
    authNonce: nonce,
    validBefore: authorizationEnd(now),
    sealed: UNSIGNED,
    fromBlock,
    forwardedFor: null,
    now,
    leaseUntil: new Date(now.getTime() + deps.payments.leaseMs),
  });
}

/**
 * Signs an outgoing payment in place: for the first time after its claim, or again when its authorization has expired.
 * Amount, recipient, and nonce are those of the row, so the token contract executes only one of the signatures. Null when
 * another process has taken the row's lease.
 *
 * @throws SignedElsewhere, SignerUnavailable
 */
export async function signOutgoing(
  deps: PaymentDeps,
  row: PaymentRow,
): Promise<{ row: PaymentRow; signed: X402Payment } | null> {
  const { id, kind, subjectId, network, asset, payTo: recipient, amountMicro, authNonce: nonce } = row;
  if (!isOutgoing(kind)) throw new RangeError(`payment ${id} is not the treasury's to sign`);
  const validBefore = authorizationEnd(deps.clock.now());
  const transfer = { kind, subjectId, network, asset, recipient, amountMicro, nonce, validBefore };
  const signed = await deps.treasury.authorize(transfer);
  const sealed = sealPayment(deps.paymentSeals, id, signed);
  const renewed = await renewSigned(deps.db, row, { sealed, validBefore });
  return renewed && { row: renewed, signed };
}

/** The reason of a payment that waits because the signer does not answer. */
export const SIGNER_UNAVAILABLE = 'signer_unavailable';

const SIGNER_REFUSED = 'signer_refused';

/** Whether a payment waits for the signer. Its answer does not change within a request. */
export function waitsForSigner(reason: string): boolean {
  return reason === SIGNER_UNAVAILABLE || reason === SIGNER_REFUSED;
}

/**
 * Returns the reason for the payment's row if `error` says that the treasury did not sign, else null. The payout shows it
 * too. The sweeper asks again.
 */
export async function whyUnsigned(deps: PaymentDeps, row: PaymentRow, error: unknown): Promise<string | null> {
  // A worker's sweeper signs it.
  if (error instanceof SignedElsewhere) return 'signed_elsewhere';
  if (!(error instanceof SignerUnavailable) || !isOutgoing(row.kind)) return null;
  await deps.payments.payoutHandlers[row.kind].delayed(
    deps.db,
    row.subjectId,
    'waits for the signer, which does not sign',
  );
  await alertSignerDown(deps, error);
  return error instanceof SignerRefused ? SIGNER_REFUSED : SIGNER_UNAVAILABLE;
}

/** Tells the operator that payouts wait for the remote signer. */
export async function alertSignerDown(
  deps: Pick<Deps, 'db' | 'clock' | 'log'>,
  error: SignerUnavailable,
): Promise<void> {
  deps.log.warn({ alert: 'signer_down', err: error }, 'payouts wait for the signer');
  await alertOperator(deps, {
    alert: 'signer_down',
    subject: 'signer',
    message: `Payouts wait: ${error.message}.`,
    details: {},
  });
}

/** Unix seconds. */
function authorizationEnd(now: Date): number {
  return Math.floor(now.getTime() / 1000) + AUTHORIZATION_SECONDS;
}
