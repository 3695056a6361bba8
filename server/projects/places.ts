import { DomainError } from '../../contract/basics/errors.ts';
import { changePlacesTaken } from './queries.ts';
import type { Tx } from '../db/database.ts';

const PPM = 1_000_000;

type Places = { maxEntries: number | null; placesTaken: number };

/** Returns how many more entries the project takes; null without a bound. */
export function placesLeft({ maxEntries, placesTaken }: Places): number | null {
  return maxEntries === null ? null : Math.max(0, maxEntries - placesTaken);
}

const NOT_CHARGED = 'Nothing was charged.';
/** For an entry whose place has lapsed. */
export const FEE_STAYS_PAID =
  'The place of this entry lapsed, because it was not confirmed in time. Its fee stays paid: confirm again when a place is free.';

/** @throws DomainError PROJECT_FULL when no place is left */
export function requirePlace(project: Places, advice = NOT_CHARGED): void {
  if (placesLeft(project) !== 0) return;
  throw new DomainError('PROJECT_FULL', `This project is full: all ${project.maxEntries} places are taken. ${advice}`);
}

/** Takes a place for a fee that is being claimed. The caller holds the project's exclusive lock and called `requirePlace`. */
export async function takePlace(tx: Tx, projectId: string): Promise<void> {
  await changePlacesTaken(tx, projectId, 1);
}

/** Frees a place that lapsed, or whose fee failed or is owed back. The caller holds the project's exclusive lock. */
export async function freePlace(tx: Tx, projectId: string): Promise<void> {
  await changePlacesTaken(tx, projectId, -1);
}

/** Returns the prize less the platform's fee, rounded down. Uses bigint, because the product can exceed 2^53. */
export function winnerReceivesMicro(prizeMicro: number, platformFeePpm: number): number {
  return Number((BigInt(prizeMicro) * BigInt(PPM - platformFeePpm)) / BigInt(PPM));
}

/**
 * Returns what one more entry wins on average if all entries are equally good, minus its fee. Negative if the fee
 * exceeds the win. The SQL function expected_value orders recommendations by the same value.
 */
export function expectedValueMicro(project: {
  prizeMicro: number;
  platformFeePpm: number;
  entryFeeMicro: number;
  totalSubmissions: number;
}): number {
  const winMicro = winnerReceivesMicro(project.prizeMicro, project.platformFeePpm);
  return Math.floor(winMicro / (project.totalSubmissions + 1)) - project.entryFeeMicro;
}
