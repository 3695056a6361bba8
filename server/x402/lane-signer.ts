import { setTimeout as sleep } from 'node:timers/promises';
import { concatHex, encodeFunctionData, type Abi, type PublicClient, type TransactionReceipt } from 'viem';
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { receiptOf, nodeClient } from '../chain/public.ts';
import { createSignerLane } from './signer-lane.ts';
import type { Db } from '../ports/database.ts';
import type { Network } from '../ports/chain.ts';

export type Hex = `0x${string}`;

const FEES_CACHED_MS = 2_000;

/** The payer's contract needs more gas than the service pays for. Nothing was broadcast. */
export class TransferTooDear extends Error {
  constructor(gas: bigint, maxGas: bigint) {
    super(`the transfer needs ${gas} gas, and the service pays for ${maxGas} at most`);
    this.name = 'TransferTooDear';
  }
}

type LaneSignerOptions = {
  rpcUrl: string;
  network: Network;
  key: Hex;
  db: Db;
  holder: string;
  pollMs: number;
  /** The most gas that the transfer in progress may take. */
  maxGas: () => bigint;
  /** Called when a transaction is complete except for its nonce. The broadcast waits for it; a rejection cancels it. */
  beforeBroadcast: () => Promise<void> | null;
  /** Called with the error of every failed request to the node. */
  onFailure: (error: unknown) => void;
  /** Called with every receipt that was awaited. */
  onReceipt: (receipt: TransactionReceipt) => void;
};

type Call = { to: Hex; data: Hex; gas?: bigint | undefined };

/** A wallet for the facilitator library. All broadcasts go through one lane; receipts are awaited outside of it. */
export function createLaneSigner(options: LaneSignerOptions) {
  const account = privateKeyToAccount(options.key);
  // Reads are retried once: the node may have closed an idle connection, which is no outage.
  const reads = nodeClient({ network: options.network, rpcUrl: options.rpcUrl, retryCount: 1 });
  const broadcast = createBroadcast(options, account, reads);
  const watch = async <T>(request: Promise<T>): Promise<T> => {
    return await request.catch((error: unknown) => {
      options.onFailure(error);
      throw error;
    });
  };

  return {
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
      gas?: bigint;
      dataSuffix?: Hex;
    }) => {
      const call = encodeFunctionData({ abi: args.abi as Abi, functionName: args.functionName, args: args.args });
      const data = args.dataSuffix ? concatHex([call, args.dataSuffix]) : call;
      return watch(broadcast({ to: args.address, data, gas: args.gas }));
    },
    sendTransaction: (call: { to: Hex; data: Hex }) => watch(broadcast(call)),
    waitForTransactionReceipt: async ({ hash, timeout }: { hash: Hex; timeout?: number }) => {
      const receipt = await awaitReceipt(reads, hash, options.pollMs, timeout ?? 20_000);
      options.onReceipt(receipt);
      return receipt;
    },
  };
}

function createBroadcast(options: LaneSignerOptions, account: PrivateKeyAccount, reads: PublicClient) {
  // No retry: the node would refuse a repeated broadcast as known, and hide that the first one worked.
  const node = nodeClient({ network: options.network, rpcUrl: options.rpcUrl, retryCount: 0 });
  const feesNow = cachedFor(FEES_CACHED_MS, () => reads.estimateFeesPerGas());
  const lane = createSignerLane({
    db: options.db,
    address: account.address.toLowerCase(),
    holder: options.holder,
    readNonce: () => reads.getTransactionCount({ address: account.address, blockTag: 'pending' }),
  });
  return async ({ to, data, gas }: Call): Promise<Hex> => {
    const [estimated, fees] = await Promise.all([
      // A transfer that would revert fails here with the contract's reason, and costs nothing.
      gas ?? reads.estimateGas({ account: account.address, to, data }),
      feesNow(),
    ]);
    const maxGas = options.maxGas();
    if (estimated > maxGas) throw new TransferTooDear(estimated, maxGas);
    // Other payments in the same block change which storage slots are warm, and so the gas. Add 20 %, within the limit.
    const withReserve = (estimated * 12n) / 10n;
    const limit = withReserve < maxGas ? withReserve : maxGas;
    const send = async (nonce: number): Promise<Hex> => {
      const transaction = {
        type: 'eip1559' as const,
        chainId: options.network.chainId,
        to,
        data,
        nonce,
        gas: gas ?? limit,
        ...fees,
      };
      return await node.sendRawTransaction({ serializedTransaction: await account.signTransaction(transaction) });
    };
    return await lane.run(send, options.beforeBroadcast());
  };
}

/** Polls for the receipt. viem's own function waits for a new block first, which costs one more interval. */
async function awaitReceipt(
  client: PublicClient,
  hash: Hex,
  pollMs: number,
  timeoutMs: number,
): Promise<TransactionReceipt> {
  const over = AbortSignal.timeout(timeoutMs);
  for (let pauseMs = Math.min(pollMs, 2); ; pauseMs = Math.min(pauseMs * 2, pollMs)) {
    // A short failure of the node does not end the wait.
    const receipt = await receiptOf(client, hash).catch(() => null);
    if (receipt) return receipt;
    if (!(await sleep(pauseMs, true, { signal: over }).catch(() => false))) {
      throw new Error(`no receipt of ${hash} within ${timeoutMs} ms`);
    }
  }
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
