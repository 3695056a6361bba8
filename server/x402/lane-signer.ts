import type { Logger } from 'pino';
import { BaseError, concatHex, encodeFunctionData, type Abi, type PublicClient, type TransactionReceipt } from 'viem';
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { isTransportFailure, MULTICALL3, nodeClient, withoutAddress, type RequestCount } from '../chain/public.ts';
import { nextBatch, transactionOf, type Call, type Hex } from './batches.ts';
import { createBroadcastQueue, type BroadcastQueue } from './broadcast-queue.ts';
import { createReceiptWatch } from './receipt-watch.ts';
import { joinLane, type Broadcast } from './signer-lane.ts';
import type { Db } from '../ports/database.ts';
import type { Network } from '../ports/chain.ts';

const FEES_CACHED_MS = 2_000;
// A key without gas is tried again after this time. Somebody may have sent it some.
const NO_GAS_MS = 30_000;

/** The payer's contract needs more gas than the service pays for. Nothing was broadcast. */
export class TransferTooDear extends Error {
  constructor(gas: bigint, maxGas: bigint) {
    super(`the transfer needs ${gas} gas, and the service pays for ${maxGas} at most`);
    this.name = 'TransferTooDear';
  }
}

/** A call that was broadcast. `shared`: in one transaction with other calls. */
export type Sent = { hash: Hex; call: Call; shared: boolean };

export type LaneSignerOptions = {
  rpcUrl: string;
  network: Network;
  /** Each key has a lane of its own. */
  keys: readonly Hex[];
  db: Db;
  holder: string;
  log: Pick<Logger, 'error' | 'warn'>;
  pollMs: number;
  /** The most payments of one transaction. 1: no batches. */
  batchSize: number;
  /** How long payments that are ready for their broadcast wait for others that are nearly ready. */
  batchWindowMs: number;
  requests?: RequestCount | undefined;
  /** The most gas that the transfer in progress may take. */
  maxGas: () => bigint;
  /** Whether the transfer in progress may share a transaction. */
  mayShare: () => boolean;
  /** Called when a transaction is complete except for its nonce. The broadcast waits for it; a rejection cancels it. */
  beforeBroadcast: () => Promise<void> | null;
  /** Called with the error of every failed request to the node. */
  onFailure: (error: unknown) => void;
  /** Called with every call of the transfer in progress that was broadcast. */
  onSent: (sent: Sent) => void;
};

/** A wallet for the facilitator library. All broadcasts go through lanes; receipts are awaited outside of them. */
export function createLaneSigner(options: LaneSignerOptions) {
  const { network, rpcUrl, requests } = options;
  const accounts = options.keys.map((key) => privateKeyToAccount(key));
  const [account] = accounts;
  if (!account) throw new RangeError('a facilitator needs a key');
  // Reads are retried once: the node may have closed an idle connection, which is no outage.
  const reads = nodeClient({ network, rpcUrl, retryCount: 1, requests });
  const receipts = createReceiptWatch({ client: reads, pollMs: options.pollMs });
  const canBatch = once(
    async () => options.batchSize > 1 && (await reads.getCode({ address: MULTICALL3 })) !== undefined,
  );
  const queue = createQueue(options, accounts, reads);
  const feesNow = cachedFor(FEES_CACHED_MS, () => reads.estimateFeesPerGas());
  const watch = async <T>(request: Promise<T>): Promise<T> => {
    return await request.catch((error: unknown) => {
      options.onFailure(error);
      throw error;
    });
  };

  /** Simulates the call, which costs nothing and fails with the contract's reason, and broadcasts it. */
  async function broadcast({ to, data }: { to: Hex; data: Hex }, mayShare: boolean): Promise<Hex> {
    const [estimated, batches] = await Promise.all([
      reads.estimateGas({ account: account?.address, to, data }),
      mayShare && canBatch().catch(() => false),
      feesNow(),
    ]);
    const maxGas = options.maxGas();
    if (estimated > maxGas) throw new TransferTooDear(estimated, maxGas);
    // Other payments in the same block change which storage slots are warm, and so the gas. Add 20 %, within the limit.
    const withReserve = (estimated * 12n) / 10n;
    const gas = withReserve < maxGas ? withReserve : maxGas;
    const sent = await queue.run({ to, data, gas, batchable: batches }, options.beforeBroadcast());
    options.onSent(sent);
    return sent.hash;
  }

  function createQueue({ db, holder }: LaneSignerOptions, all: PrivateKeyAccount[], client: PublicClient) {
    // No retry: the node would refuse a repeated broadcast as known, and hide that the first one worked.
    const node = nodeClient({ network, rpcUrl, retryCount: 0, requests });
    const made: BroadcastQueue<Call, Sent> = createBroadcastQueue({
      next: (waiting) => nextBatch(waiting, options.batchSize),
      windowMs: options.batchWindowMs,
    });
    for (const each of all) {
      let withoutGas: { error: unknown; over: AbortSignal } | null = null;
      joinLane<Call, Sent>({
        db,
        address: each.address.toLowerCase(),
        holder,
        queue: made,
        readNonce: () => client.getTransactionCount({ address: each.address, blockTag: 'pending' }),
        unusable: () => (withoutGas && !withoutGas.over.aborted ? withoutGas.error : null),
        async broadcast(nonce, calls) {
          const outcome = await send(each, nonce, calls);
          if (outcome.kind !== 'no gas') return outcome;
          withoutGas = { error: outcome.error, over: AbortSignal.timeout(NO_GAS_MS) };
          const about = { alert: 'facilitator_key_without_gas', address: each.address };
          options.log.error(about, 'a facilitator key has too little gas; payments go out by the other keys, if any');
          return outcome;
        },
      });
    }
    return made;

    async function send(from: PrivateKeyAccount, nonce: number, calls: Call[]): Promise<Broadcast<Sent>> {
      const { to, data, gas } = transactionOf(calls);
      try {
        const fees = await feesNow();
        const unsigned = { type: 'eip1559' as const, chainId: network.chainId, to, data, nonce, gas, ...fees };
        const serializedTransaction = await from.signTransaction(unsigned);
        const hash = await node.sendRawTransaction({ serializedTransaction });
        return { kind: 'sent', results: calls.map((call) => ({ hash, call, shared: calls.length > 1 })) };
      } catch (error) {
        return refusalOf(error, calls);
      }
    }
  }

  return {
    addresses: accounts.map(({ address }) => address),
    address: account.address,
    getCode: (args: { address: Hex }) => watch(reads.getCode(args)),
    readContract: (args: { address: Hex; abi: readonly unknown[]; functionName: string; args?: readonly unknown[] }) =>
      watch<unknown>(reads.readContract(args)),
    verifyTypedData: (args: unknown) =>
      watch(reads.verifyTypedData(args as Parameters<PublicClient['verifyTypedData']>[0])),
    writeContract: (args: {
      address: Hex;
      abi: readonly unknown[];
      functionName: string;
      args: readonly unknown[];
      dataSuffix?: Hex;
    }) => {
      const call = encodeFunctionData({ abi: args.abi as Abi, functionName: args.functionName, args: args.args });
      const data = args.dataSuffix ? concatHex([call, args.dataSuffix]) : call;
      return watch(broadcast({ to: args.address, data }, options.mayShare()));
    },
    sendTransaction: (call: { to: Hex; data: Hex }) => watch(broadcast(call, false)),
    /** Broadcasts a call once more, in a transaction of its own. */
    sendAlone: (call: Call) => broadcast(call, false),
    waitForTransactionReceipt: async ({
      hash,
      timeout,
    }: {
      hash: Hex;
      timeout?: number;
    }): Promise<TransactionReceipt> => await receipts.receiptOf(hash, timeout ?? 20_000),
    balanceOf: (address: Hex) => reads.getBalance({ address }),
  };
}

/** Tells what a failed broadcast proves. */
function refusalOf(error: unknown, calls: Call[]): Exclude<Broadcast<Sent>, { kind: 'sent' }> {
  if (isTransportFailure(error)) return { kind: 'unknown', error };
  const said = error instanceof BaseError ? `${error.details} ${error.message}` : String(error);
  if (/insufficient funds/i.test(said)) return { kind: 'no gas', error: new Error(`the key has too little gas`) };
  if (/nonce too low|replacement transaction underpriced/i.test(said)) return { kind: 'refused', error };
  if (calls.length === 1) return { kind: 'unknown', error };
  // The node takes no such batch, for example because of its gas: each of its payments goes out alone.
  for (const call of calls) call.batchable = false;
  return { kind: 'refused', error: withoutAddress(error) };
}

/** Keeps the first answer for good. A failure is not kept. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | null = null;
  return () => {
    kept ??= ask().catch((error: unknown) => {
      kept = null;
      throw error;
    });
    return kept;
  };
}

/** Caches the last result for `ms`. Concurrent callers share one request; a failure is not cached. */
function cachedFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let cached: { result: Promise<T>; over: AbortSignal } | null = null;
  return () => {
    if (cached === null || cached.over.aborted) {
      const fresh = { result: ask(), over: AbortSignal.timeout(ms) };
      cached = fresh;
      fresh.result.catch(() => {
        if (cached === fresh) cached = null;
      });
    }
    return cached.result;
  };
}
