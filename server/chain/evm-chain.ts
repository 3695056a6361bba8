import { pad, parseAbi, type Hash, type Hex, type PublicClient, type TransactionReceipt } from 'viem';
import type { Logger } from 'pino';
import {
  ChainUnavailable,
  NodeBehind,
  type AuthorizationQuery,
  type AuthorizationState,
  type Chain,
  type ChainTransfer,
  type TransactionOutcome,
  type Network,
} from './types.ts';
import type { Clock } from '../clock.ts';
import { createLogScan, type LogScan, type RawLog } from './log-scan.ts';
import { nodeClient, type NodeRequests } from './node-client.ts';
import { isTransportFailure, withoutAddress } from './node-errors.ts';
import { createProvenReceipts, type ProvenReceipts } from './proven-receipts.ts';
import {
  CANCELED_TOPIC,
  TRANSFER_TOPIC,
  USED_TOPIC,
  paidTransfer,
  usdcAbi,
  usedAuthorizations,
} from './usdc-events.ts';
import { verifyMessage } from './verify-message.ts';

export type EvmChainOptions = {
  rpcUrl: string;
  network: Network;
  log: Logger;
  /**
   * For nodes that do not know the tag `safe`: the number of blocks below the latest that count as final. Default: 450.
   */
  safeDepth?: number;
  /** How far before its presentation a payment can have moved. Default: 1800 blocks, one hour of Base. */
  lookbackBlocks?: number;
  timeoutMs?: number;
  /** Tells a node that is behind. Absent: the chain may have no new block for long, as an idle development chain. */
  clock?: Clock;
  requests?: NodeRequests;
};

/** How long a success of the whole check counts. */
const CHECK_MS = 60_000;
/** Base has a block every 2 s. A node whose newest one is older than this has stopped syncing, or is still behind. */
const STALE_MS = 60_000;

type Block = { number: number; timestamp: number };

const blocklistAbi = parseAbi(['function isBlacklisted(address account) view returns (bool)']);

/** A token without a blocklist, such as the one of the development chain, refuses nobody. */
async function readRefused(client: PublicClient, usdc: string, addresses: string[]): Promise<ReadonlySet<string>> {
  const refused = await Promise.all(
    addresses.map(async (address) => {
      const call = { abi: blocklistAbi, functionName: 'isBlacklisted', args: [address as Hex] } as const;
      try {
        return await client.readContract({ address: usdc as Hex, ...call });
      } catch (error) {
        if (isTransportFailure(error)) throw error;
        return false;
      }
    }),
  );
  return new Set(addresses.filter((_, index) => refused[index]));
}

/** The code of an account that delegates: this mark, and the address of a contract (EIP-7702). */
const DELEGATION = '0xef0100';

/**
 * Reads the chain over JSON-RPC. Each request takes at most `timeoutMs` (5 s). A failed request is not repeated here,
 * because the callers decide about retries.
 */
export function createEvmChain(options: EvmChainOptions): Chain {
  const { network, rpcUrl, timeoutMs, lookbackBlocks = 1800, requests = {} } = options;
  const singleAttempt = { network, rpcUrl, timeoutMs, retryCount: 0, requests };
  const client = nodeClient(singleAttempt);
  // Batches up to 100 balance reads within 5 ms into one request. Reads for a payment use the other client and do not
  // wait 5 ms.
  const balances = nodeClient({ ...singleAttempt, batch: { multicall: { wait: 5, batchSize: 8_192 } } });
  const receipts = createProvenReceipts(client);
  const usdc = network.usdc.address;
  const reader: Reader = {
    ...options,
    client,
    receipts,
    usdc,
    scan: createLogScan(client, usdc),
    checked: { at: null, logBlocks: 0 },
  };
  return {
    chainId: network.chainId,
    authorization: (query) => orUnavailable(() => readAuthorization(reader, query)),
    transaction: (txHash, query) => orUnavailable(() => readTransaction(reader, txHash as Hash, query)),
    balanceMicro: (address, block) =>
      orUnavailable(async () => {
        const value = await (block === undefined ? balances : client).readContract({
          address: network.usdc.address,
          abi: usdcAbi,
          functionName: 'balanceOf',
          args: [address as Hex],
          ...(block === undefined ? {} : { blockNumber: BigInt(block) }),
        });
        return safeNumber(value);
      }),
    refusedOf: (addresses) => orUnavailable(() => readRefused(balances, network.usdc.address, addresses)),
    delegateOf: (address) =>
      orUnavailable(async () => {
        const code = await client.getCode({ address: address as Hex });
        return code?.startsWith(DELEGATION) ? `0x${code.slice(DELEGATION.length)}` : null;
      }),
    blockNumber: () => orUnavailable(async () => Number(await client.getBlockNumber({ cacheTime: 0 }))),
    searchStart: () =>
      // A block number that is up to 30 s old saves one request per payment. The search then starts slightly early,
      // which is safe.
      orUnavailable(async () =>
        Math.max(0, Number(await client.getBlockNumber({ cacheTime: 30_000 })) - lookbackBlocks),
      ),
    finalBlock: () => orUnavailable(async () => (await finalBlock(reader)).number),
    transfersOf: (address, fromBlock, toBlock) => orUnavailable(() => transfersOf(reader, address, fromBlock, toBlock)),
    authorizationsIn: (txHash) =>
      orUnavailable(async () => {
        const receipt = await receipts.receiptOf(txHash as Hash);
        // Without a receipt nothing is known: the block was reorganized, or the node is behind.
        if (receipt === null) throw new ChainUnavailable();
        return usedAuthorizations(receipt, network.usdc.address);
      }),
    verifyMessage: (signed) => orUnavailable(() => verifyMessage(client, signed)),
    silentMs() {
      const since = requests.unansweredSince ?? null;
      return since === null ? 0 : performance.now() - since;
    },
    check: () => orUnavailable(() => check(reader)),
  };
}

type Reader = EvmChainOptions & {
  client: PublicClient;
  receipts: ProvenReceipts;
  usdc: Hex;
  scan: LogScan;
  checked: { at: number | null; logBlocks: number };
};

/** Turns every failure of a node into ChainUnavailable. No failure proves anything about a payment. */
async function orUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof ChainUnavailable ? error : new ChainUnavailable(withoutAddress(error));
  }
}

async function readAuthorization(reader: Reader, query: AuthorizationQuery): Promise<AuthorizationState> {
  const [used, final] = await Promise.all([isUsed(reader, query), finalBlock(reader)]);
  if (!used) {
    if (final.timestamp < query.validBefore) return { state: 'open' };
    // The first answer can come from an older block or from another node. Read the state again at a block that is at
    // least as new as the final one. If the nonce is unused there, it was unused in the final block too. The final
    // block itself cannot be read: nodes without an archive keep only the last 128 states.
    const latest = Math.max(final.number, await latestNumber(reader));
    if (!(await isUsed(reader, query, latest))) return { state: 'dead' };
  }
  return await findUse(reader, query, final);
}

async function isUsed(
  reader: Reader,
  query: Pick<AuthorizationQuery, 'payer' | 'nonce'>,
  at?: number,
): Promise<boolean> {
  return await reader.client.readContract({
    address: reader.usdc,
    abi: usdcAbi,
    functionName: 'authorizationState',
    args: [query.payer as Hex, query.nonce as Hex],
    ...(at === undefined ? {} : { blockNumber: BigInt(at) }),
  });
}

async function finalBlock({ client, log, safeDepth = 450 }: Reader): Promise<Block> {
  try {
    return blockOf(await client.getBlock({ blockTag: 'safe' }));
  } catch (error) {
    if (isTransportFailure(error)) throw error;
    log.debug({ err: withoutAddress(error), safeDepth }, 'the node does not know the block tag "safe"');
    const latest = await client.getBlockNumber({ cacheTime: 0 });
    const depth = BigInt(safeDepth);
    return blockOf(await client.getBlock({ blockNumber: latest > depth ? latest - depth : 0n }));
  }
}

function blockOf(block: { number: bigint; timestamp: bigint }): Block {
  return { number: Number(block.number), timestamp: Number(block.timestamp) };
}

/** Finds in the events how a used nonce was used. */
async function findUse(reader: Reader, query: AuthorizationQuery, final: Block): Promise<AuthorizationState> {
  const topics = [[USED_TOPIC, CANCELED_TOPIC], pad(query.payer as Hex), query.nonce as Hex];
  const logs = reader.scan.logs(topics, query.fromBlock, await latestNumber(reader));
  for await (const log of logs) {
    if (log.topics[0] === USED_TOPIC) {
      const receipt = await reader.receipts.receiptOf(log.transactionHash);
      // A log that its receipt lacks comes from a reorganized block or from another node, so it proves nothing.
      if (!receipt || !holds(receipt, log)) throw new ChainUnavailable();
      const paid = paidTransfer(receipt, reader.usdc, query);
      if (paid) return paid;
    }
    return { state: Number(log.blockNumber) <= final.number ? 'dead' : 'void' };
  }
  return { state: 'foreign' };
}

function holds({ logs }: TransactionReceipt, { topics, logIndex }: RawLog): boolean {
  const found = logs.find((log) => log.logIndex === Number(logIndex));
  return found !== undefined && topics.every((topic, index) => topic === found.topics[index]);
}

/** Decides by the receipt, if its block is on chain. */
async function readTransaction(reader: Reader, txHash: Hash, query: AuthorizationQuery): Promise<TransactionOutcome> {
  const receipt = await reader.receipts.receiptOf(txHash);
  if (receipt === null) return { state: 'none' };
  if (receipt.status === 'reverted') return { state: 'reverted' };
  return paidTransfer(receipt, reader.usdc, query) ?? { state: 'none' };
}

/**
 * A log filter cannot express "from or to", so this runs two scans. A transfer from the address to itself is in both.
 */
async function transfersOf(
  reader: Reader,
  address: string,
  fromBlock: number,
  toBlock: number,
): Promise<ChainTransfer[]> {
  const found = new Map<string, ChainTransfer>();
  const walk = async (topics: (Hex | null)[]) => {
    for await (const log of reader.scan.logs(topics, fromBlock, toBlock)) {
      const transfer = transferOf(log);
      found.set(`${transfer.txHash}:${transfer.logIndex}`, transfer);
    }
  };
  await Promise.all([walk([TRANSFER_TOPIC, null, pad(address as Hex)]), walk([TRANSFER_TOPIC, pad(address as Hex)])]);
  return [...found.values()].toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
}

function transferOf(log: RawLog): ChainTransfer {
  return {
    txHash: log.transactionHash.toLowerCase(),
    logIndex: Number(log.logIndex),
    blockNumber: Number(log.blockNumber),
    from: addressOf(log.topics[1]),
    to: addressOf(log.topics[2]),
    amountMicro: safeNumber(BigInt(log.data)),
  };
}

function addressOf(topic = ''): string {
  return `0x${topic.slice(-40)}`.toLowerCase();
}

/** Makes the calls that money needs: all but one only once a minute, because operators pay for each. */
async function check(reader: Reader): Promise<void> {
  const { client, checked, clock } = reader;
  const { number: latest, timestamp } = blockOf(await client.getBlock());
  if (checked.at === null || performance.now() - checked.at >= CHECK_MS) await checkAll(reader, latest);
  if (clock && clock.now().getTime() - timestamp * 1000 > STALE_MS)
    throw new NodeBehind(new Error(`block ${latest}, its newest, is of ${new Date(timestamp * 1000).toISOString()}`));
}

async function checkAll(reader: Reader, latest: number): Promise<void> {
  const { client, network, usdc, log, scan, checked } = reader;
  checked.at = null;
  const [chainId, code, logBlocks] = await Promise.all([
    client.getChainId(),
    client.getCode({ address: usdc }),
    scan.probe(latest).catch((error: unknown) => {
      const { message } = withoutAddress(error) as Error;
      throw new Error(`the node refuses eth_getLogs even for one block: ${message}`);
    }),
    finalBlock(reader),
  ]);
  if (chainId !== network.chainId) throw new Error(`the node serves chain ${chainId}, but NETWORK is ${network.id}`);
  if (!code) throw new Error(`there is no USDC contract at ${usdc}`);
  await isUsed(reader, { payer: usdc, nonce: pad('0x0') }, latest);
  if (logBlocks !== checked.logBlocks) log.info({ logBlocks }, `the node answers eth_getLogs for ${logBlocks} blocks`);
  Object.assign(checked, { at: performance.now(), logBlocks });
}

async function latestNumber(reader: Reader): Promise<number> {
  return Number(await reader.client.getBlockNumber({ cacheTime: 0 }));
}

function safeNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError('an amount on chain exceeds the largest safe integer');
  return number;
}
