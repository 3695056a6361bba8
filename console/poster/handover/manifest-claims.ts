import type { z } from 'zod';
import type { manifestClaims } from '../../../contract/projects/manifest.ts';

/** The statements of a delivery manifest. */
export type Claims = z.output<typeof manifestClaims>;

/**
 * Reads the statements of a delivery manifest, to show them. Does not check the signature: the manifest comes from the
 * service itself, and `concours verify` checks it for everyone else.
 */
export function claimsOf(manifest: string): Claims {
  const [, payload = ''] = manifest.split('.');
  const binary = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
  const utf8 = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(utf8)) as Claims;
}
