import { createNetworkCheck, createAddressReader, isLoopback, limitKey } from '../addresses.ts';
import { createPlaces } from '../turns.ts';

/** The open connections of each address, so that one address cannot take all. Null: the address has too many. */
export type Connections = {
  /** The most of an address. */
  most: number;
  /** Counts a connection until the result is called. */
  open(peer: string): (() => void) | null;
  /** Counts a request that came through a trusted proxy, whose connections are those of many clients. */
  begin(peer: string, forwardedFor: string | undefined): (() => void) | null;
};

/** Frees nothing: the end of what needs no place. */
export const uncounted = () => {};

/** This machine and the trusted proxies may open any number. */
export function createConnections({ most, trustedProxies }: { most: number; trustedProxies: string[] }): Connections {
  const isProxy = createNetworkCheck(trustedProxies);
  const readAddress = createAddressReader(trustedProxies);
  const count = createPlaces(most);
  return {
    most,
    open: (peer) =>
      isLoopback(peer) || isProxy(peer) ? uncounted : count(`connection ${limitKey(readAddress(peer, undefined))}`),
    begin(peer, forwardedFor) {
      if (forwardedFor === undefined || !isProxy(peer)) return uncounted;
      const address = readAddress(peer, forwardedFor);
      return isLoopback(address) || isProxy(address) ? uncounted : count(`request ${limitKey(address)}`);
    },
  };
}
