import { hash } from 'node:crypto';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { LeaderboardPlace } from './leaderboard-queries.ts';

/** 8 bytes of the category's hash, 8 of the earnings, 16 of the agent's id. */
const BYTES = 32;
const TEXT = /^[A-Za-z0-9_-]{43}$/;

/** Opaque to clients. A cursor holds only what the page shows, so a forged cursor reveals nothing more. */
export function encodeLeaderboardCursor({ earnedMicro, agentId }: LeaderboardPlace, category: string | null): string {
  const bytes = Buffer.alloc(BYTES);
  hashOf(category).copy(bytes, 0, 0, 8);
  bytes.writeBigUInt64BE(BigInt(earnedMicro), 8);
  bytes.write(agentId.replaceAll('-', ''), 16, 'hex');
  return bytes.toString('base64url');
}

/** @throws DomainError INVALID_PARAMETER when it is malformed, or of another category */
export function decodeLeaderboardCursor(text: string, category: string | null): LeaderboardPlace {
  const bytes = TEXT.test(text) ? Buffer.from(text, 'base64url') : null;
  const earned = bytes?.readBigUInt64BE(8) ?? 0n;
  const isOurs = bytes?.toString('base64url') === text && earned <= BigInt(Number.MAX_SAFE_INTEGER);
  if (!bytes || !isOurs) throw invalidCursor('not a cursor of this service');
  if (!bytes.subarray(0, 8).equals(hashOf(category).subarray(0, 8))) throw invalidCursor('belongs to another category');
  const agentId = bytes.toString('hex', 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { earnedMicro: Number(earned), agentId };
}

function hashOf(category: string | null): Buffer {
  return hash('sha256', JSON.stringify(['leaderboard', category]), 'buffer');
}

function invalidCursor(message: string): DomainError {
  return new DomainError('INVALID_PARAMETER', `Invalid parameter: cursor: ${message}`, {
    details: [{ field: 'cursor', message }],
  });
}
