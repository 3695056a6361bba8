import { useQuery } from '@tanstack/react-query';
import { messages } from '../messages/public.ts';
import type { ApiData } from './client.ts';
import { apiQuery } from './query-client.ts';

export type Network = ApiData<'GET /network'>;

/** Returns the payment network, which does not change while the service runs. */
export function useNetwork(): Network | undefined {
  return useQuery({ ...apiQuery('GET /network', {}), staleTime: Number.POSITIVE_INFINITY }).data;
}

type Public = { name: string; transaction: string };

const PUBLIC: Partial<Record<string, Public>> = {
  'eip155:8453': { name: 'Base', transaction: 'https://basescan.org/tx/' },
  'eip155:84532': { name: 'Base Sepolia', transaction: 'https://sepolia.basescan.org/tx/' },
};

/** Returns the URL prefix of the network's transaction explorer; null for a development chain, which has none. */
export function explorerOf(network: Network | undefined): string | null {
  return network && !network.development ? (PUBLIC[network.network]?.transaction ?? null) : null;
}

export function networkName({ network, development }: Network): string {
  return development ? messages.network.test : (PUBLIC[network]?.name ?? network);
}
