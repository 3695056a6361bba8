import { type Stats, statSync } from 'node:fs';

/** Where a signer listens: a Unix socket, or a port behind TLS with certificates on both sides. */
export type SignerAddress = { socket: string } | { host: string; port: number };

/** PEM texts: the authority of both sides, and the own certificate with its key. */
export type Certificates = { ca: string; cert: string; key: string };

/** Reads `unix:/path` or `https://host:port`. The settings have checked the form. */
export function signerAddressOf(address: string): SignerAddress {
  if (address.startsWith('unix:')) return { socket: address.slice('unix:'.length) };
  const { hostname, port } = new URL(address);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** Returns what is wrong with the file of a socket, or null. A process that can write to the socket can ask the signer. */
export function socketProblem(path: string): string | null {
  let found: Stats;
  try {
    found = statSync(path);
  } catch {
    return 'there is no socket';
  }
  if (!found.isSocket()) return 'the file is no socket';
  return (found.mode & 0o007) === 0
    ? null
    : 'every user of this machine may use the socket; it must have mode 0660 or less';
}
