import type { Network } from './types.ts';

/**
 * The supported networks. The development chain uses the chain id, USDC address, and token name of Base Sepolia, so
 * unmodified clients can pay on it.
 */
export const networks = {
  'eip155:8453': {
    id: 'eip155:8453',
    chainId: 8453,
    v1Name: 'base',
    testnet: false,
    usdc: { address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', name: 'USD Coin', version: '2', decimals: 6 },
  },
  'eip155:84532': {
    id: 'eip155:84532',
    chainId: 84532,
    v1Name: 'base-sepolia',
    testnet: true,
    usdc: { address: '0x036cbd53842c5426634e7929541ec2318f3dcf7e', name: 'USDC', version: '2', decimals: 6 },
  },
} as const satisfies Record<string, Network>;
