import { createPublicClient, defineChain, http, type PublicClient } from 'viem';
import type { Network } from '../ports/chain.ts';

/** Deployed at this address on both networks, and by `npm start` on the development chain. */
const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11';

export type NodeClientOptions = {
  network: Network;
  rpcUrl: string;
  /** Of one request. Default: 5 s. */
  timeoutMs?: number | undefined;
  /** How often a request that failed is repeated. */
  retryCount: number;
  /** Reads asked for within `wait` ms are one request of at most `batchSize` bytes of call data. */
  batch?: { multicall: { wait: number; batchSize: number } };
};

/**
 * JSON-RPC to a node of the network. The chain is described here, since `viem/chains` loads every chain that there is, hundreds
 * of modules, to name one.
 */
export function nodeClient({ network, rpcUrl, timeoutMs = 5_000, retryCount, batch }: NodeClientOptions): PublicClient {
  return createPublicClient({
    chain: defineChain({
      id: network.chainId,
      name: network.v1Name,
      testnet: network.testnet,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
      contracts: { multicall3: { address: MULTICALL3 } },
      blockTime: 2_000,
    }),
    transport: http(rpcUrl, { timeout: timeoutMs, retryCount }),
    ...(batch ? { batch } : {}),
  });
}
