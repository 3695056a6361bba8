import { createSiweMessage, parseSiweMessage, validateSiweMessage } from 'viem/siwe';
import type { Deps } from '../deps.ts';

const LIFETIME_MS = 600_000;

/** A sign-in message (EIP-4361). Its signature proves control of the wallet, for this service and for 10 minutes. */
export type WalletMessage = { nonce: string; address: string; message: string; createdAt: Date; expiresAt: Date };

/** Creates a message with a new nonce. The caller stores it and accepts its signature once. */
export function newWalletMessage(
  { clock, randomBytes, publicUrl, network }: Pick<Deps, 'clock' | 'randomBytes' | 'publicUrl' | 'network'>,
  { address, statement }: { address: string; statement: string },
): WalletMessage {
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS);
  const nonce = randomBytes(16).toString('hex');
  const message = createSiweMessage({
    // viem refuses a host of one label, which private networks use. The real host is inserted below.
    domain: 'localhost',
    address: address as `0x${string}`,
    statement: `${statement} Signing costs nothing and moves no money.`,
    uri: publicUrl,
    version: '1',
    chainId: network.chainId,
    nonce,
    issuedAt: createdAt,
    expirationTime: expiresAt,
  });
  return { nonce, address, message: message.replace('localhost', new URL(publicUrl).host), createdAt, expiresAt };
}

/** Returns the nonce, which finds the stored message, or null for other text. */
export function nonceOf(message: string): string | null {
  const { nonce, address } = parseSiweMessage(message);
  return nonce && address ? nonce : null;
}

/**
 * Returns true while a message is valid: not expired, and for the service's current URL and chain. A deployment may have
 * moved since it created the message.
 */
export function isCurrentMessage(
  { clock, publicUrl, network }: Pick<Deps, 'clock' | 'publicUrl' | 'network'>,
  text: string,
): boolean {
  const message = parseSiweMessage(text);
  const domain = new URL(publicUrl).host;
  return (
    validateSiweMessage({ message, domain, time: clock.now() }) &&
    message.uri === publicUrl &&
    message.chainId === network.chainId
  );
}
