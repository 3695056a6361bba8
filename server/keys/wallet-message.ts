import { createSiweMessage, parseSiweMessage, validateSiweMessage } from 'viem/siwe';
import type { Deps } from '../deps.ts';

const LIFETIME_MS = 600_000;

/** A text (EIP-4361) whose signature shows that a wallet is whoever asked for it, here and for a while. */
export type WalletMessage = { nonce: string; address: string; message: string; createdAt: Date; expiresAt: Date };

/** One that was never given before; whoever gives it to somebody stores it, and takes it once. */
export function newWalletMessage(
  { clock, randomBytes, publicUrl, network }: Pick<Deps, 'clock' | 'randomBytes' | 'publicUrl' | 'network'>,
  { address, statement }: { address: string; statement: string },
): WalletMessage {
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS);
  const nonce = randomBytes(16).toString('hex');
  const message = createSiweMessage({
    // viem takes no host of one label, which a private network may well have.
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

/** By what the text is looked up; null when it is no such message. */
export function nonceOf(message: string): string | null {
  const { nonce, address } = parseSiweMessage(message);
  return nonce && address ? nonce : null;
}

/**
 * Whether a message that was made here is still one of this service: not over, and for the address and the chain that
 * it has now, since a deployment may have moved.
 */
export function standsHere(
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
