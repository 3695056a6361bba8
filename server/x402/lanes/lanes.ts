import type { Logger } from 'pino';
import { BaseError, type FeeValuesEIP1559, type PublicClient } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { isTransportFailure, nodeClient, withoutAddress, type NodeRequests } from '../../chain/public.ts';
import { nextBatch, transactionOf, type Call, type Hex } from './batches.ts';
import { createBroadcastQueue, type BroadcastQueue } from './broadcast-queue.ts';
import { joinLane, type Broadcast } from './signer-lane.ts';
import type { Db } from '../../db/database.ts';
import type { Network } from '../../chain/types.ts';

// A key without gas is tried again after this time. Somebody may have sent it some.
const NO_GAS_MS = 30_000;

/** A call that was broadcast. `shared`: in one transaction with other calls. */
export type SentCall = { hash: Hex; call: Call; shared: boolean };

type LanesOptions = {
  rpcUrl: string;
  network: Network;
  accounts: readonly PrivateKeyAccount[];
  db: Db;
  holder: string;
  pooled?: boolean | undefined;
  log: Pick<Logger, 'error'>;
  batchSize: number;
  batchWindowMs: number;
  requests?: NodeRequests | undefined;
  reads: PublicClient;
  feesNow: () => Promise<FeeValuesEIP1559>;
  /** Called when a key could not pay its gas, for the first time in 30 s. */
  onNoGas?: ((address: Hex) => void) | undefined;
};

/** Creates one queue of calls, and one lane for each key. The first free lane takes the next batch. */
export function createLanes(options: LanesOptions): {
  queue: BroadcastQueue<Call, SentCall>;
  isUsable(address: Hex): boolean;
} {
  const { accounts, db, holder, pooled = false, log, reads } = options;
  const queue = createBroadcastQueue<Call, SentCall>({
    next: (waiting) => nextBatch(waiting, options.batchSize),
    windowMs: options.batchWindowMs,
  });
  const send = createSend(options);
  const withoutGas = new Map<Hex, AbortSignal>();
  const isUsable = (address: Hex) => withoutGas.get(address)?.aborted !== false;
  const isAnyUsable = () => accounts.some(({ address }) => isUsable(address));
  for (const account of accounts) {
    const { address } = account;
    joinLane<Call, SentCall>({
      db,
      address: address.toLowerCase(),
      holder,
      pooled,
      queue,
      readNonce: () => reads.getTransactionCount({ address, blockTag: 'pending' }),
      rests: () => !isUsable(address) && isAnyUsable(),
      async broadcast(nonce, calls) {
        const outcome = await send(account, nonce, calls);
        if (outcome.kind !== 'no gas') return outcome;
        if (isUsable(address)) {
          log.error({ alert: 'facilitator_key_without_gas', address }, 'a facilitator key has too little gas');
          options.onNoGas?.(address);
        }
        withoutGas.set(address, AbortSignal.timeout(NO_GAS_MS));
        // When no key is left, the payments must not wait here. Nothing is lost: they are tried again.
        return isAnyUsable() ? outcome : { kind: 'unknown', error: outcome.error };
      },
    });
  }
  return { queue, isUsable };
}

function createSend({ network, rpcUrl, requests, feesNow }: LanesOptions) {
  // No retry: the node would refuse a repeated broadcast as known, and hide that the first one worked.
  const node = nodeClient({ network, rpcUrl, retryCount: 0, requests });
  return async (account: PrivateKeyAccount, nonce: number, calls: Call[]): Promise<Broadcast<SentCall>> => {
    const { to, data, gas } = transactionOf(calls);
    try {
      const fees = await feesNow();
      const unsigned = { type: 'eip1559' as const, chainId: network.chainId, to, data, nonce, gas, ...fees };
      const serializedTransaction = await account.signTransaction(unsigned);
      const hash = await node.sendRawTransaction({ serializedTransaction });
      return { kind: 'sent', results: calls.map((call) => ({ hash, call, shared: calls.length > 1 })) };
    } catch (error) {
      return refusalOf(error, calls);
    }
  };
}

/** Tells what a failed broadcast proves. */
function refusalOf(error: unknown, calls: Call[]): Exclude<Broadcast<SentCall>, { kind: 'sent' }> {
  if (isTransportFailure(error)) return { kind: 'unknown', error };
  const said = error instanceof BaseError ? `${error.details} ${error.message}` : String(error);
  if (/insufficient funds/i.test(said)) return { kind: 'no gas', error };
  if (/nonce too low|replacement transaction underpriced/i.test(said)) return { kind: 'refused', error };
  if (calls.length === 1) return { kind: 'unknown', error };
  // The node takes no such batch, for example because of its gas: each of its payments goes out alone.
  for (const call of calls) call.batchable = false;
  return { kind: 'refused', error: withoutAddress(error) };
}
