import type { Db } from '../ports/database.ts';
import { type ChainHead, findChainHead, findUnchained, type LinkRow, linksAfter } from './chain-queries.ts';
import { hashOf } from './chain-records.ts';

const BATCH = 5_000;
const MOST_PROBLEMS = 50;
/** Records are chained in the order of their writes. A transaction, or a clock, may be this much late. */
const LATE_MS = 600_000;

/** The end of the chain as somebody noted it earlier. */
export type NotedHead = { seq: number; hash: string };

export type ChainReport = {
  /** The records in the chain. */
  records: number;
  /** Note it outside of the database: it proves later that nothing up to here has changed. */
  head: NotedHead;
  /** The records that do not fit, at most 50 lines. */
  problems: string[];
};

type State = { seq: number; hash: Buffer; newest: number; problems: string[] };

/**
 * Compares the audit trail with its hash chain: it finds removed, changed, and inserted records. The chain alone cannot
 * show that its end was cut off, or that all of it was computed again; a noted head shows both.
 */
export async function verifyChain(db: Db, noted?: NotedHead): Promise<ChainReport> {
  const head = await findChainHead(db);
  const state: State = { seq: 0, hash: Buffer.alloc(0), newest: -Infinity, problems: [] };
  for (;;) {
    const links = await linksAfter(db, { after: state.seq, upTo: head.last, limit: BATCH });
    for (const link of links) checkLink(state, link, noted);
    if (links.length < BATCH || state.problems.length >= MOST_PROBLEMS) break;
  }
  checkEnd(state, head, noted);
  for (const id of await findUnchained(db, MOST_PROBLEMS))
    state.problems.push(`record ${id} was inserted: it is in the audit trail, but not in the chain`);
  const problems = state.problems.slice(0, MOST_PROBLEMS);
  return { records: head.last, head: { seq: head.last, hash: head.hash.toString('hex') }, problems };
}

function checkLink(state: State, { seq, id, hash, record }: LinkRow, noted: NotedHead | undefined): void {
  const tell = (problem: string) => void state.problems.push(problem);
  if (seq !== state.seq + 1) tell(`the chain lacks ${state.seq + 1} to ${seq - 1}: records were removed`);
  else if (record === null) tell(`record ${id} (place ${seq}) was removed`);
  else if (!hashOf(state.hash, seq, record).equals(hash)) tell(`record ${id} (place ${seq}) was changed`);
  else if (record.at.getTime() < state.newest - LATE_MS)
    tell(
      `record ${id} (place ${seq}) was inserted later: its time ${record.at.toISOString()} is before the ones it follows`,
    );
  if (noted?.seq === seq && noted.hash !== hash.toString('hex'))
    tell(`place ${seq} has another hash than the one that was noted: the chain was computed again`);
  state.seq = seq;
  // The stored hash goes on, so that one changed record is one problem.
  state.hash = hash;
  state.newest = Math.max(state.newest, record?.at.getTime() ?? -Infinity);
}

function checkEnd(state: State, head: ChainHead, noted: NotedHead | undefined): void {
  if (state.problems.length >= MOST_PROBLEMS) return;
  if (state.seq !== head.last || !state.hash.equals(head.hash))
    state.problems.push(
      `the chain ends at place ${state.seq}, but its head names place ${head.last}: its end was changed`,
    );
  if (noted && noted.seq > head.last)
    state.problems.push(
      `the chain ends at place ${head.last}, before the noted place ${noted.seq}: its end was cut off`,
    );
}
