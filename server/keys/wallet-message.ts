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
 * Returns why a stored message is no longer valid, or null while it is. It must be for the service's current URL and
 * chain: a deployment may have moved since it created the message, or another process may have another PUBLIC_URL.
 */
export function messageProblem(
  { clock, publicUrl, network }: Pick<Deps, 'clock' | 'publicUrl' | 'network'>,
  text: string,
): string | null {
  const message = parseSiweMessage(text);
  const domain = new URL(publicUrl).host;
  if (message.uri !== publicUrl || message.domain !== domain)
    return `This challenge is for ${message.uri}, but this service runs at ${publicUrl}.`;
  if (message.chainId !== network.chainId)
    return `This challenge is for chain ${message.chainId}, but this service uses chain ${network.chainId}.`;
  const isValid = validateSiweMessage({ message, domain, time: clock.now() });
  return isValid ? null : 'This challenge has expired.';
}
