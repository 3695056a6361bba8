import { hash } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { appendToChain, type ChainedRecord, isRecordWaiting, lockChain, takeWaiting } from './chain-queries.ts';

const BATCH = 1_000;

/** Returns the hash of a record at its place. It covers the hash before it, so a changed record changes every later hash. */
export function hashOf(before: Buffer, seq: number, record: ChainedRecord): Buffer {
  const { id, at, actor, action, subject, reason, details } = record;
  const text = JSON.stringify([
    before.toString('hex'),
    seq,
    id,
    at.toISOString(),
    actor,
    action,
    subject,
    reason,
    details,
  ]);
  return hash('sha256', text, 'buffer');
}

/**
 * Gives the committed records of the audit trail their places in the chain. It runs after the commits, so that the
 * transactions of requests do not wait for each other. One process at a time continues the chain; a process that is killed
 * before the commit leaves the records to the next run.
 *
 * @returns how many records got a place
 */
export async function chainRecords({ db, reads }: Pick<Deps, 'db' | 'reads'>, stopping?: AbortSignal): Promise<number> {
  let total = 0;
  for (;;) {
    if (stopping?.aborted || !(await isRecordWaiting(reads))) return total;
    const count = await withTransaction(db, async (tx) => {
      const head = await lockChain(tx);
      const records = head === null ? [] : await takeWaiting(tx, BATCH);
      if (head === null || records.length === 0) return 0;
      let { last, hash: before } = head;
      const links = records.map((record) => {
        last += 1;
        before = hashOf(before, last, record);
        return { seq: last, id: record.id, hash: before };
      });
      await appendToChain(tx, links, { last, hash: before });
      return records.length;
    });
    total += count;
    if (count < BATCH) return total;
  }
}
