import { setTimeout as sleep } from 'node:timers/promises';
import { concatHex, encodeFunctionData, type Abi, type PublicClient, type TransactionReceipt } from 'viem';
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { receiptOf, nodeClient } from '../chain/public.ts';
import { createSignerLane } from './signer-lane.ts';
import type { Db } from '../ports/database.ts';
import type { Network } from '../ports/chain.ts';

export type Hex = `0x${string}`;

const FEES_KEPT_MS = 2_000;
// A transfer takes some 90,000 and that of a contract wallet 300,000. What a payer's contract does beyond that, it would
// do with the gas that this key pays for.
const MAX_GAS = 1_000_000n;

/** Nothing was broadcast: the payer's contract wants more gas than is paid for it. */
export class TransferTooDear extends Error {
  constructor(gas: bigint) {
    super(`the transfer would take ${gas} gas, at most ${MAX_GAS} are paid for`);
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
  /** Asked when a transaction is ready but for its nonce, and waited for; when it rejects, nothing is broadcast. */
  beforeBroadcast: () => Promise<void> | null;
  /** Told of every failed request to the node. */
  onFailure: (error: unknown) => void;
  /** Told of the receipts that were waited for. */
  onReceipt: (receipt: TransactionReceipt) => void;
};

type Call = { to: Hex; data: Hex; gas?: bigint | undefined };

/** What the facilitator library wants of a wallet, with all broadcasts in one lane and receipts awaited outside of it. */
export function createLaneSigner(options: LaneSignerOptions) {
  const account = privateKeyToAccount(options.key);
  // Reads may be repeated once: an idle connection that the node closed is not an outage.
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
  // Sent once: a repeated broadcast would be refused as known, and hide that the first one worked.
  const node = nodeClient({ network: options.network, rpcUrl: options.rpcUrl, retryCount: 0 });
  const feesNow = keptFor(FEES_KEPT_MS, () => reads.estimateFeesPerGas());
  const lane = createSignerLane({
    db: options.db,
    address: account.address.toLowerCase(),
    holder: options.holder,
    readNonce: () => reads.getTransactionCount({ address: account.address, blockTag: 'pending' }),
  });
  return async ({ to, data, gas }: Call): Promise<Hex> => {
    const [estimated, fees] = await Promise.all([
      // A transfer that would revert fails here, with the contract's words, and costs nothing.
      gas ?? reads.estimateGas({ account: account.address, to, data }),
      feesNow(),
    ]);
    if (estimated > MAX_GAS) throw new TransferTooDear(estimated);
    const send = async (nonce: number): Promise<Hex> => {
      const transaction = {
        type: 'eip1559' as const,
        chainId: options.network.chainId,
        to,
        data,
        nonce,
        // Other payments of the same block may warm or cool a storage slot.
        gas: gas ?? (estimated * 12n) / 10n,
        ...fees,
      };
      return await node.sendRawTransaction({ serializedTransaction: await account.signTransaction(transaction) });
    };
    return await lane.run(send, options.beforeBroadcast());
  };
}

/** Asked for directly: viem's own wait first watches for a new block, which costs one more interval. */
async function awaitReceipt(
  client: PublicClient,
  hash: Hex,
  pollMs: number,
  timeoutMs: number,
): Promise<TransactionReceipt> {
  const over = AbortSignal.timeout(timeoutMs);
  for (let pauseMs = Math.min(pollMs, 2); ; pauseMs = Math.min(pauseMs * 2, pollMs)) {
    // A node that fails to answer for a moment does not end the wait.
    const receipt = await receiptOf(client, hash).catch(() => null);
    if (receipt) return receipt;
    if (!(await sleep(pauseMs, true, { signal: over }).catch(() => false))) {
      throw new Error(`no receipt of ${hash} within ${timeoutMs} ms`);
    }
  }
}

/** The last answer while it is young; one question however many ask. */
function keptFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let kept: { answer: Promise<T>; over: AbortSignal } | null = null;
  return () => {
    if (kept === null || kept.over.aborted) {
      const fresh = { answer: ask(), over: AbortSignal.timeout(ms) };
      kept = fresh;
      fresh.answer.catch(() => {
        if (kept === fresh) kept = null;
      });
    }
    return kept.answer;
  };
}
