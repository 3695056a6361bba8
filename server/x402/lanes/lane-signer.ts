import type { Logger } from 'pino';
import { concatHex, encodeFunctionData, type Abi, type PublicClient, type TransactionReceipt } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { MULTICALL3, nodeClient, type NodeRequests } from '../../chain/public.ts';
import type { Call, Hex } from './batches.ts';
import type { BroadcastQueue } from './broadcast-queue.ts';
import { createLanes, type SentCall } from './lanes.ts';
import { createReceiptWatch } from '../receipt-watch.ts';
import type { Db } from '../../db/database.ts';
import type { GasOfKey } from '../types.ts';
import type { Network } from '../../chain/types.ts';

const FEES_CACHED_MS = 2_000;
const BALANCES_CACHED_MS = 30_000;
// A transfer to a balance of zero takes this much more. The treasury's balance, or a winner's, can fall to zero after the
// simulation. Other payments in the same block also change which storage slots are warm: 20 % are added for them.
const GAS_OF_A_NEW_BALANCE = 17_100n;

/** The payer's contract needs more gas than the service pays for. Nothing was broadcast. */
export class TransferTooDear extends Error {
  constructor(gas: bigint, maxGas: bigint) {
    super(`the transfer needs ${gas} gas, and the service pays for ${maxGas} at most`);
    this.name = 'TransferTooDear';
  }
}

export type LaneSignerOptions = {
  rpcUrl: string;
  network: Network;
  /** Each key has a lane of its own. */
  keys: readonly Hex[];
  db: Db;
  holder: string;
  log: Pick<Logger, 'error' | 'warn'>;
  pollMs: number;
  /** Called when a key could not pay its gas. */
  onNoGas?: (address: Hex) => void;
  /** The most payments of one transaction. 1: no batches. */
  batchSize: number;
  /** How long payments that are ready for their broadcast wait for others that are nearly ready. */
  batchWindowMs: number;
  requests?: NodeRequests | undefined;
  /** The most gas that the transfer in progress may take. */
  maxGas: () => bigint;
  /** Whether the transfer in progress may share a transaction. */
  mayShare: () => boolean;
  /** The gas of a call whose simulation was begun by `simulate`. */
  simulated: (data: Hex) => Promise<bigint> | undefined;
  /** Called when a transaction is complete except for its nonce. The broadcast waits for it; a rejection cancels it. */
  beforeBroadcast: () => Promise<void> | null;
  /** Called with the error of every failed request to the node. */
  onFailure: (error: unknown) => void;
  /** Called with every call of the transfer in progress that was broadcast. */
  onSent: (sent: SentCall) => void;
};

/** A wallet for the facilitator library. All broadcasts go through lanes; receipts are awaited outside of them. */
export function createLaneSigner(options: LaneSignerOptions) {
  const { network, rpcUrl, requests } = options;
  const accounts = options.keys.map((key) => privateKeyToAccount(key));
  const first = firstOf(accounts).address;
  // Reads are retried once: the node may have closed an idle connection, which is no outage.
  const reads = nodeClient({ network, rpcUrl, retryCount: 1, requests });
  const receipts = createReceiptWatch(reads, options.pollMs);
  const canBatch = once(
    async () => options.batchSize > 1 && (await reads.getCode({ address: MULTICALL3 })) !== undefined,
  );
  const balances = cachedFor(BALANCES_CACHED_MS, () =>
    Promise.all(accounts.map(({ address }) => reads.getBalance({ address }).catch(() => null))),
  );
  const feesNow = cachedFor(FEES_CACHED_MS, () => reads.estimateFeesPerGas());
  const { queue, isUsable } = createLanes({ ...options, accounts, reads, feesNow });
  const watch = async <T>(request: Promise<T>): Promise<T> => {
    return await request.catch((error: unknown) => {
      options.onFailure(error);
      throw error;
    });
  };

  const simulate = ({ to, data }: Pick<Call, 'to' | 'data'>) => reads.estimateGas({ account: first, to, data });
  const broadcast = createBroadcast(options, { simulate, queue, feesNow, canBatch });

  return {
    address: first,
    /** Simulates a call, which costs nothing and fails with the contract's reason. Returns the gas that it takes. */
    simulate,
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
    async gasOfKeys(): Promise<GasOfKey[]> {
      const gas = await balances();
      return accounts.map(({ address }, index) => ({ address, gasWei: gas[index] ?? null, usable: isUsable(address) }));
    },
    /** Whether several payments can share a transaction on this chain. */
    canBatch,
  };
}

function firstOf<T>([first]: readonly T[]): T {
  if (first === undefined) throw new RangeError('a facilitator needs a key');
  return first;
}

type BroadcastParts = {
  simulate: (call: Pick<Call, 'to' | 'data'>) => Promise<bigint>;
  queue: BroadcastQueue<Call, SentCall>;
  feesNow: () => Promise<unknown>;
  canBatch: () => Promise<boolean>;
};

/** Simulates a call, and broadcasts it. */
function createBroadcast(options: LaneSignerOptions, { simulate, queue, feesNow, canBatch }: BroadcastParts) {
  return async ({ to, data }: { to: Hex; data: Hex }, mayShare: boolean): Promise<Hex> => {
    const [estimated, batches] = await Promise.all([
      options.simulated(data) ?? simulate({ to, data }),
      mayShare && canBatch().catch(() => false),
      feesNow(),
    ]);
    const maxGas = options.maxGas();
    if (estimated > maxGas) throw new TransferTooDear(estimated, maxGas);
    const withReserve = (estimated * 12n) / 10n + GAS_OF_A_NEW_BALANCE;
    const gas = withReserve < maxGas ? withReserve : maxGas;
    const sent = await queue.run({ to, data, gas, batchable: batches }, options.beforeBroadcast());
    options.onSent(sent);
    return sent.hash;
  };
}

/** Keeps the first answer forever. A failure is not kept. */
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
