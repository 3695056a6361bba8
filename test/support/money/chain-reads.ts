import pino from 'pino';
import { createEvmChain } from '../../../server/chain/evm-chain.ts';
import { networks } from '../../../server/chain/networks.ts';
import type { Chain } from '../../../server/chain/types.ts';

/** Reads a chain of a test from another process than the service, such as the chain of the shared service. */
export function chainAt(rpcUrl: string): Chain {
  return createEvmChain({ rpcUrl, network: networks['eip155:84532'], log: pino({ level: 'silent' }) });
}
