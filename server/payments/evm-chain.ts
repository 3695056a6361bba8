import {
  BaseError,
  HttpRequestError,
  TimeoutError,
  TransactionReceiptNotFoundError,
  createPublicClient,
  http,
  numberToHex,
  pad,
  type Hash,
  type Hex,
  type PublicClient,
  type TransactionReceipt,
} from 'viem';
import { base, baseSepolia } from 'viem/chains';
import type { Logger } from 'pino';
import {
  ChainUnavailable,
  type AuthorizationQuery,
  type AuthorizationState,
  type Chain,
  type ChainTransfer,
  type TransactionOutcome,
} from './chain.ts';
import type { Network } from './networks.ts';
import { CANCELED_TOPIC, TRANSFER_TOPIC, USED_TOPIC, paidTransfer, usdcAbi } from './usdc-events.ts';

export type EvmChainOptions = {
  rpcUrl: string;
  network: Network;
  log: Logger;
  /** Depth below the latest block that is taken where a node does not know the tag `safe`. */
  safeDepth?: number;
  /** How far back a payment is looked for that moved before it was presented: 1800 blocks are an hour of Base. */
  lookbackBlocks?: number;
  /** Most providers refuse eth_getLogs over more. */
  logRangeBlocks?: number;
  timeoutMs?: number;
};

type Block = { number: number; timestamp: number };

/** The chain over JSON-RPC. Each request takes at most `timeoutMs` (5 s) and none is repeated here: callers decide. */
export function createEvmChain(options: EvmChainOptions): Chain {
  const { network, lookbackBlocks = 1800 } = options;
  const client = publicClient(options);
  // 100 balances asked for within 5 ms are one request; the questions of a payment must not wait those 5 ms.
  const balances = publicClient(options, { multicall: { wait: 5, batchSize: 8_192 } });
  const reader: Reader = { ...options, client, usdc: network.usdc.address };
  return {
    chainId: network.chainId,
    authorization: (query) => answered(() => askAuthorization(reader, query)),
    transaction: (txHash, query) => answered(() => askTransaction(reader, txHash as Hash, query)),
    balanceMicro: (address, block) =>
      answered(async () => {
        const value = await (block === undefined ? balances : client).readContract({
          address: network.usdc.address,
          abi: usdcAbi,
          functionName: 'balanceOf',
          args: [address as Hex],
          ...(block === undefined ? {} : { blockNumber: BigInt(block) }),
        });
        return safeNumber(value);
      }),
    blockNumber: () => answered(async () => Number(await client.getBlockNumber({ cacheTime: 0 }))),
    searchStart: () =>
      // A search may start too early, never too late: an answer that is 30 s old saves a request per payment.
      answered(async () => Math.max(0, Number(await client.getBlockNumber({ cacheTime: 30_000 })) - lookbackBlocks)),
    finalBlock: () => answered(async () => (await finalBlock(reader)).number),
    transfersTo: (address, fromBlock, toBlock) => answered(() => transfersTo(reader, address, fromBlock, toBlock)),
    check: () => answered(() => check(reader)),
  };
}

type Reader = EvmChainOptions & { client: PublicClient; usdc: Hex };

function publicClient(
  options: EvmChainOptions,
  batch?: { multicall: { wait: number; batchSize: number } },
): PublicClient {
  return createPublicClient({
    chain: options.network.chainId === base.id ? base : baseSepolia,
    transport: http(options.rpcUrl, { timeout: options.timeoutMs ?? 5_000, retryCount: 0 }),
    ...(batch ? { batch } : {}),
  }) as PublicClient;
}

/** Whatever a node says instead of an answer means the same to the machine: nothing is known. */
async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof ChainUnavailable ? error : new ChainUnavailable(withoutAddress(error));
  }
}

async function askAuthorization(reader: Reader, query: AuthorizationQuery): Promise<AuthorizationState> {
  const [used, final] = await Promise.all([isUsed(reader, query), finalBlock(reader)]);
  if (!used) {
    if (final.timestamp < query.validBefore) return { state: 'open' };
    // Asked again as of a block that is no older: the first answer may be from before it, or another node's. Unused there,
    // it was unused in the final block too; that one's own state is forgotten by nodes that keep the last 128.
    const latest = Math.max(final.number, await latestNumber(reader));
    if (!(await isUsed(reader, query, latest))) return { state: 'dead' };
  }
  return await findUse(reader, query, final);
}

async function isUsed(reader: Reader, query: AuthorizationQuery, at?: number): Promise<boolean> {
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

/** What became of a nonce that is used up, from its events. */
async function findUse(reader: Reader, query: AuthorizationQuery, final: Block): Promise<AuthorizationState> {
  const topics = [[USED_TOPIC, CANCELED_TOPIC], pad(query.payer as Hex), query.nonce as Hex];
  const logs = scanLogs(reader, topics, query.fromBlock, await latestNumber(reader));
  for await (const log of logs) {
    if (log.topics[0] === USED_TOPIC) {
      const receipt = await receiptOf(reader.client, log.transactionHash);
      // A log without its receipt is of a block that is gone, or of another node: nothing is known.
      if (receipt === null) throw new ChainUnavailable();
      const paid = paidTransfer(receipt, reader.usdc, query);
      if (paid) return paid;
    }
    return { state: Number(log.blockNumber) <= final.number ? 'dead' : 'void' };
  }
  return { state: 'foreign' };
}

/** Judged by the receipt, which a node gives only for a transaction of the chain as it stands now. */
async function askTransaction(reader: Reader, txHash: Hash, query: AuthorizationQuery): Promise<TransactionOutcome> {
  const receipt = await receiptOf(reader.client, txHash);
  if (receipt === null) return { state: 'none' };
  if (receipt.status === 'reverted') return { state: 'reverted' };
  return paidTransfer(receipt, reader.usdc, query) ?? { state: 'none' };
}

export async function receiptOf(client: PublicClient, hash: Hash): Promise<TransactionReceipt | null> {
  try {
    return await client.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  }
}

async function transfersTo(
  reader: Reader,
  address: string,
  fromBlock: number,
  toBlock: number,
): Promise<ChainTransfer[]> {
  const found: ChainTransfer[] = [];
  for await (const log of scanLogs(reader, [TRANSFER_TOPIC, null, pad(address as Hex)], fromBlock, toBlock)) {
    found.push({
      txHash: log.transactionHash.toLowerCase(),
      logIndex: Number(log.logIndex),
      blockNumber: Number(log.blockNumber),
      from: `0x${(log.topics[1] ?? '').slice(-40)}`.toLowerCase(),
      amountMicro: safeNumber(BigInt(log.data)),
    });
  }
  return found;
}

type RawLog = { topics: Hex[]; data: Hex; blockNumber: Hex; transactionHash: Hash; logIndex: Hex };

async function* scanLogs(
  reader: Reader,
  topics: (Hex | Hex[] | null)[],
  fromBlock: number,
  toBlock: number,
): AsyncGenerator<RawLog> {
  const range = reader.logRangeBlocks ?? 2000;
  for (let from = fromBlock; from <= toBlock; from += range) {
    const to = Math.min(from + range - 1, toBlock);
    const filter = { address: reader.usdc, topics, fromBlock: numberToHex(from), toBlock: numberToHex(to) };
    yield* (await reader.client.request({ method: 'eth_getLogs', params: [filter] })) as unknown as RawLog[];
  }
}

async function check({ client, network, usdc }: Reader): Promise<void> {
  const [chainId, code] = await Promise.all([client.getChainId(), client.getCode({ address: usdc })]);
  if (chainId !== network.chainId) throw new Error(`the node serves chain ${chainId}, but NETWORK is ${network.id}`);
  if (!code) throw new Error(`there is no USDC contract at ${usdc}`);
}

async function latestNumber(reader: Reader): Promise<number> {
  return Number(await reader.client.getBlockNumber({ cacheTime: 0 }));
}

/** Whether the node was not reached or could not work, as opposed to having answered with a refusal. */
export function isTransportFailure(error: unknown): boolean {
  if (!(error instanceof BaseError)) return true;
  const cause = error.walk(
    (inner) => inner instanceof HttpRequestError || inner instanceof TimeoutError || isOverloaded(inner),
  );
  return cause !== null;
}

/**
 * What a node failed at, for logs. viem writes the node's URL into every error, and the URL of a provider holds the key
 * that its requests are billed to.
 */
export function withoutAddress(error: unknown): unknown {
  if (!(error instanceof BaseError)) return error;
  const failure = error.walk((inner) => inner instanceof HttpRequestError);
  const { name, shortMessage, details } = (failure ?? error) as BaseError;
  // A refusal by HTTP may repeat the key that it refuses.
  const status = failure instanceof HttpRequestError ? failure.status : undefined;
  const why = status === undefined ? details?.slice(0, 200) : `status ${status}`;
  return new Error(`${name}: ${shortMessage} ${why ? `(${why})` : ''}`.trim());
}

// -32005 is "limit exceeded", -32603 an internal error; a revert travels as 3 or -32000, or in the text of -32603.
function isOverloaded(error: unknown): boolean {
  if (!(error instanceof BaseError) || !('code' in error)) return false;
  return error.code === -32005 || (error.code === -32603 && !/revert/i.test(error.message));
}

function safeNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError('an amount on chain is beyond the safe range');
  return number;
}
