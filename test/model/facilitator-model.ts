import type { Facilitator, Settlement, Verification, X402Payment } from '../../server/x402/types.ts';
import type { Authorization, ChainModel } from './chain-model.ts';

/** Every known or possible behavior of a facilitator in a settlement. The first one is honest. */
export const SETTLE_FAULTS = [
  'honest',
  'honest, with its proof',
  'honest and slow to be mined',
  'times out before it broadcasts',
  'times out after it broadcast',
  'times out, mined later',
  'says used after its own broadcast',
  'says used and it is not',
  'pending with the hash, mined later',
  'pending and never broadcasts',
  'empty hash although it broadcast',
  'refuses although it broadcast',
  'refuses although it broadcast, mined later',
  'refuses and never broadcasts',
  'success with no transaction',
  'success with an empty hash, truly',
  'success with an empty hash, falsely',
  'success with rubbish',
  'success with the transaction of another',
  'broadcasts twice',
  'collects it for a batch, and times out',
  'in a batch',
  'in a batch, with its proof',
  'in a batch, mined later',
  'in a batch, tried alone when it failed',
  'in a batch without enough gas',
] as const;
export type SettleFault = (typeof SETTLE_FAULTS)[number];

/** Behaviors that put a payment together with others. */
export const isOfBatch = (fault: SettleFault): boolean => fault.includes('batch');

const refusedAs = (errorReason: string, transaction = ''): Settlement => ({ success: false, errorReason, transaction });

/** Returns the signed part of a payment with its signature. */
function signedPart({ payload }: X402Payment): { authorization: Authorization; signature: string } {
  const { authorization, signature } = payload.payload as {
    authorization: Record<'from' | 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce', string>;
    signature: string;
  };
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return {
    authorization: {
      from: from.toLowerCase(),
      to: to.toLowerCase(),
      valueMicro: Number(value),
      validAfter: Number(validAfter),
      validBefore: Number(validBefore),
      nonce: nonce.toLowerCase(),
    },
    signature,
  };
}

/**
 * Creates a facilitator for the chain model. `faultOf` returns the fault for each settlement of a nonce. `gathered` waits
 * until nothing else moves, so that all payments that are settled at once share a batch.
 */
export function createFacilitatorModel(
  model: ChainModel,
  time: { trueMs: number },
  { faultOf, gathered }: { faultOf: (nonce: string) => SettleFault; gathered: () => Promise<void> },
): Facilitator & { broadcasts: Map<string, string[]>; isCollected(nonce: string): boolean } {
  /**
   * Broadcasts by nonce, without those that the facilitator denied. Payers who trust the service's answers can rely on
   * them.
   */
  const broadcasts = new Map<string, string[]>();

  function broadcast(authorization: Authorization): string {
    const hash = model.broadcast(authorization);
    broadcasts.set(authorization.nonce, [...(broadcasts.get(authorization.nonce) ?? []), hash]);
    return hash;
  }

  /** Authorizations whose settlement timed out. The next batch takes all of them along. */
  let collected: Authorization[] = [];

  type Batch = { members: Authorization[]; hasGas: boolean; mined: boolean; hash: string };
  let gathering: Batch | null = null;

  /** Joins the batch of the payments that are settled now. Resolves to its transaction. */
  async function joinBatch(authorization: Authorization, { hasGas = true, mined = true } = {}): Promise<string> {
    const batch = (gathering ??= { members: [], hasGas: true, mined: false, hash: '' });
    batch.members.push(authorization);
    batch.hasGas &&= hasGas;
    batch.mined ||= mined;
    await gathered();
    if (batch.hash === '') sendBatch(batch);
    return batch.hash;
  }

  function sendBatch(batch: Batch): void {
    if (gathering === batch) gathering = null;
    // The database decides in which order they come, and a story repeats exactly.
    const all = new Map([...collected, ...batch.members].map((each) => [each.nonce, each]));
    collected = [];
    const ordered = [...all.values()].toSorted((one, other) => (one.nonce < other.nonce ? -1 : 1));
    batch.hash = model.broadcastBatch(ordered, !batch.hasGas);
    for (const { nonce } of ordered) broadcasts.set(nonce, [...(broadcasts.get(nonce) ?? []), batch.hash]);
    if (batch.mined) model.mine((tx) => (tx.hash === batch.hash ? 'mined' : 'delayed'));
  }

  /** Reports this payment by the receipt of its batch, as the in-process facilitator does. */
  async function inBatch(authorization: Authorization, hasGas = true): Promise<Settlement> {
    const transaction = await joinBatch(authorization, { hasGas });
    if (model.moved.some(({ txHash, nonce }) => txHash === transaction && nonce === authorization.nonce))
      return { success: true, transaction };
    return { ...refusedAs('invalid_exact_evm_transaction_failed', transaction), unpaid: true };
  }

  /** A payment that failed in its batch goes out again, in a transaction of its own. */
  async function triedAlone(authorization: Authorization): Promise<Settlement> {
    const settlement = await inBatch(authorization, false);
    return verify(authorization).isValid ? honest(authorization) : settlement;
  }

  /** Denies a broadcast for certain, although it happened. */
  function lie(authorization: Authorization): Settlement {
    broadcasts.set(authorization.nonce, broadcasts.get(authorization.nonce)?.slice(0, -1) ?? []);
    return refusedAs('insufficient_funds');
  }

  function verifySigned(payment: X402Payment): Verification {
    const { authorization, signature } = signedPart(payment);
    if (!model.isSigned(authorization, signature))
      return { isValid: false, invalidReason: 'invalid_exact_evm_payload_signature' };
    return verify(authorization);
  }

  function verify(authorization: Authorization): Verification {
    const { from, nonce, validAfter, validBefore, valueMicro } = authorization;
    const now = time.trueMs / 1000;
    const no = (invalidReason: string) => ({ isValid: false, invalidReason });
    if (validBefore < now + 6) return no('invalid_exact_evm_payload_authorization_valid_before');
    if (validAfter > now) return no('invalid_exact_evm_payload_authorization_valid_after');
    if (model.isUsed(from, nonce)) return no('invalid_exact_evm_nonce_already_used');
    if (model.balance(from) < valueMicro) return no('invalid_exact_evm_insufficient_balance');
    return { isValid: true };
  }

  function honest(authorization: Authorization, copies = 1): Settlement {
    const hashes = Array.from({ length: copies }, () => broadcast(authorization));
    model.mine(({ hash }) => (hashes.includes(hash) ? 'mined' : 'delayed'));
    const transaction = hashes[0] ?? '';
    if (model.receipt(transaction)?.reverted) return refusedAs('invalid_exact_evm_transaction_failed', transaction);
    return { success: true, transaction };
  }

  /** Adds the proof of the in-process facilitator, which reads the receipt itself. */
  function proven(settlement: Settlement, { nonce }: Authorization): Settlement {
    const moved = model.moved.find(({ txHash, nonce: its }) => txHash === settlement.transaction && its === nonce);
    if (!moved) return settlement;
    const { txHash, logIndex, blockNumber } = moved;
    return { ...settlement, proof: { state: 'paid', txHash, logIndex, blockNumber } };
  }

  async function faulty(fault: SettleFault, authorization: Authorization): Promise<Settlement> {
    switch (fault) {
      case 'honest':
        return honest(authorization);
      case 'honest, with its proof':
        return proven(honest(authorization), authorization);
      case 'honest and slow to be mined':
        return { success: true, transaction: broadcast(authorization) };
      case 'times out before it broadcasts':
        throw new Error('timeout');
      case 'times out after it broadcast':
        honest(authorization);
        throw new Error('timeout');
      case 'times out, mined later':
        broadcast(authorization);
        throw new Error('timeout');
      case 'says used after its own broadcast':
        honest(authorization);
        return refusedAs('invalid_exact_evm_nonce_already_used');
      case 'says used and it is not':
        return refusedAs('invalid_exact_evm_nonce_already_used');
      case 'pending with the hash, mined later':
        return refusedAs('settlement_pending', broadcast(authorization));
      case 'pending and never broadcasts':
        return refusedAs('settlement_pending');
      case 'empty hash although it broadcast':
        honest(authorization);
        return refusedAs('Timed out while waiting for transaction to be confirmed.');
      case 'refuses although it broadcast':
        honest(authorization);
        return lie(authorization);
      case 'refuses although it broadcast, mined later':
        broadcast(authorization);
        return lie(authorization);
      case 'refuses and never broadcasts':
        return refusedAs('insufficient_funds');
      case 'success with no transaction':
        return { success: true, transaction: `0x${'12'.repeat(32)}` };
      case 'success with an empty hash, truly':
        return { ...honest(authorization), transaction: '' };
      case 'success with an empty hash, falsely':
        return { success: true, transaction: '' };
      case 'success with rubbish':
        return { success: true, transaction: 7 } as unknown as Settlement;
      case 'success with the transaction of another':
        return { success: true, transaction: model.moved.at(-1)?.txHash ?? '' };
      case 'broadcasts twice':
        return honest(authorization, 2);
      case 'collects it for a batch, and times out':
        collected.push(authorization);
        throw new Error('timeout');
      case 'in a batch':
        return await inBatch(authorization);
      case 'in a batch, with its proof':
        return proven(await inBatch(authorization), authorization);
      case 'in a batch, mined later':
        return refusedAs('settlement_pending', await joinBatch(authorization, { mined: false }));
      case 'in a batch, tried alone when it failed':
        return await triedAlone(authorization);
      case 'in a batch without enough gas':
        return await inBatch(authorization, false);
    }
  }

  return {
    broadcasts,
    /** Whether a batch may still take it along. One whose nonce was canceled moves nothing. */
    isCollected: (nonce) =>
      [...collected, ...(gathering?.members ?? [])].some(
        (each) => each.nonce === nonce && !model.isUsed(each.from, nonce),
      ),
    verify: async (payment) => verifySigned(payment),
    async settle(payment) {
      const { authorization } = signedPart(payment);
      const { isValid, invalidReason = '' } = verifySigned(payment);
      if (!isValid) return refusedAs(invalidReason);
      return await faulty(faultOf(authorization.nonce), authorization);
    },
    check: async () => {},
  };
}
