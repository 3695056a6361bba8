import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The start of a key. A key is `ck_live_<id>_<secret><checksum>`. The id finds the row, and only a hash of the secret is
 * stored. The checksum reveals a mistyped key without a query. Secret scanners find leaked keys by the prefix.
 */
export type KeyPrefix = `${'ca' | 'cd' | 'ck' | 'co' | 'cp' | 'cs'}_${'live' | 'test'}`;

/** The parts of a key's text. Only the database knows whether the key exists and whether its secret is right. */
export type ParsedKey = { prefix: KeyPrefix; id: string; secretHash: string };

export type IssuedKey = ParsedKey & { key: string };

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// The fewest base62 digits that hold 16 and 32 random bytes, and a CRC32.
const ID_LENGTH = 22;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const BODY = new RegExp(`^(c[adkops]_(?:live|test))_([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})$`);
const KEY_LENGTH = 'ck_live_'.length + ID_LENGTH + 1 + SECRET_LENGTH + CHECKSUM_LENGTH;

/** Returns the prefix of a key. It names the network, so that a test key never works with real money, nor the reverse. */
export function keyPrefix(owner: keyof typeof KINDS, testnet: boolean): KeyPrefix {
  return `${KINDS[owner]}_${testnet ? 'test' : 'live'}`;
}

/** A session token, which a browser keeps in a cookie, has the same format. */
const KINDS = {
  agent: 'ck',
  operator: 'co',
  poster: 'cp',
  session: 'cs',
  agentSession: 'ca',
  operatorSession: 'cd',
} as const;

/** Creates a key. Its owner sees `key` once; the database stores `id` and `secretHash`. */
export function issueKey(prefix: KeyPrefix, randomBytes: (size: number) => Uint8Array): IssuedKey {
  const id = base62(randomBytes(16), ID_LENGTH);
  const secret = base62(randomBytes(32), SECRET_LENGTH);
  const body = `${prefix}_${id}_${secret}`;
  return { key: body + checksum(body), prefix, id, secretHash: hashSecret(secret) };
}

/** Returns the parts of a key, or null for other text. It compares the checksum first, which is cheap. */
export function parseKey(text: string): ParsedKey | null {
  if (text.length !== KEY_LENGTH) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return null;
  const [, prefix, id, secret] = BODY.exec(body) ?? [];
  return prefix && id && secret ? { prefix: prefix as KeyPrefix, id, secretHash: hashSecret(secret) } : null;
}

/** Compares two hashes in constant time, so that the duration reveals nothing about them. */
export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a, 'hex');
  const right = Buffer.from(b, 'hex');
  return left.length === right.length && timingSafeEqual(left, right);
}

// One pass of SHA-256 is enough: the secret has 256 random bits, so no dictionary attack exists.
function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

function checksum(body: string): string {
  let digits = '';
  for (let rest = crc32(body); rest > 0; rest = Math.floor(rest / 62)) digits = ALPHABET.charAt(rest % 62) + digits;
  return digits.padStart(CHECKSUM_LENGTH, '0');
}

function base62(bytes: Uint8Array, length: number): string {
  let digits = '';
  for (let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= 62n) {
    digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
  }
  return digits.padStart(length, '0');
}
