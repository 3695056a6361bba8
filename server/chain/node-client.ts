import { Agent, request as send } from 'undici';
import { createPublicClient, defineChain, http, type PublicClient } from 'viem';
import type { Network } from './types.ts';
import { isTracing, traced } from '../tracing.ts';

/** The address of Multicall3 on both networks. `npm start` deploys it there on the development chain. */
export const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11';

const TIMEOUT_MS = 5_000;

export type NodeClientOptions = {
  network: Network;
  rpcUrl: string;
  /** The timeout of one request. Default: 5 s. */
  timeoutMs?: number | undefined;
  /** How often a failed request is repeated. */
  retryCount: number;
  /** Combines reads within `wait` ms into one request of at most `batchSize` bytes of call data. */
  batch?: { multicall: { wait: number; batchSize: number } };
  requests?: NodeRequests | undefined;
};

/** Whether the node answers the requests of a process. */
export type NodeRequests = {
  /** When the first request after the newest answer was sent, by `performance.now()`. Null or unset: none was. */
  unansweredSince?: number | null;
};

/**
 * Creates a JSON-RPC client for a node of the network. The chain is defined here because `viem/chains` loads hundreds
 * of modules.
 */
export function nodeClient({
  network,
  rpcUrl,
  timeoutMs = TIMEOUT_MS,
  retryCount,
  batch,
  requests,
}: NodeClientOptions): PublicClient {
  return createPublicClient({
    // A payer's contract could name an address, which would be asked from inside the operator's network.
    ccipRead: false,
    chain: defineChain({
      id: network.chainId,
      name: network.v1Name,
      testnet: network.testnet,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
      contracts: { multicall3: { address: MULTICALL3 } },
      blockTime: 2_000,
      // The cap costs nothing: the price is that of the block. A transaction below it would hold all later ones of its key.
      fees: { baseFeeMultiplier: 3 },
    }),
    transport: http(rpcUrl, {
      timeout: timeoutMs,
      retryCount,
      fetchFn: tracedPost,
      onFetchRequest() {
        if (requests) requests.unansweredSince ??= performance.now();
      },
      onFetchResponse({ status }) {
        // A gateway answers for a node that is away.
        if (requests && status < 500) requests.unansweredSince = null;
      },
    }),
    ...(batch ? { batch } : {}),
  });
}

/** viem refuses a longer answer. */
const MOST_BYTES = 10 * 1024 * 1024;
// Over HTTP/2, a connection that died silently would take every later request.
const connections = new Agent({ allowH2: false, connect: { timeout: TIMEOUT_MS }, maxResponseSize: MOST_BYTES });

/** A request to the node as a span. Its name is that of the JSON-RPC method. */
async function tracedPost(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  if (!isTracing()) return await post(url, init);
  const body = typeof init.body === 'string' ? init.body : '';
  const method = /"method":"(\w+)"/.exec(body)?.[1] ?? 'request';
  const attributes = { 'rpc.system': 'jsonrpc' };
  return await traced(`node ${method}`, { kind: 'client', attributes }, () => post(url, init));
}

/**
 * Does what viem needs of `fetch`, which takes twice the processor time: a payment asks the node seven times. The signal ends
 * a request at once, also one that still connects.
 */
async function post(url: string | URL | Request, { body, headers, signal }: RequestInit): Promise<Response> {
  const over = Promise.withResolvers<never>();
  signal?.addEventListener('abort', () => over.reject(signal.reason), { once: true });
  const exchange = async () => {
    const answer = await send(url as string, {
      dispatcher: connections,
      method: 'POST',
      headers: { 'user-agent': 'concours', ...(headers as Record<string, string>) },
      body: body as string,
      signal: signal ?? null,
    });
    const type = String(answer.headers['content-type'] ?? '');
    return new Response(await answer.body.text(), { status: answer.statusCode, headers: { 'content-type': type } });
  };
  return await Promise.race([exchange(), over.promise]);
}
