import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type ApiData, ApiError } from '../../api/public.ts';
import { withDistinctAgents } from '../../format/public.ts';
import { posterApi } from '../account/poster-session.ts';
import { ENTRIES, type Entry, type Note, type Review, sendNote, sendReview } from './entry-requests.ts';

/** The fields that the poster changes. */
type Own = Pick<Entry, 'score' | 'feedback' | 'score_source' | 'mark' | 'feedback_draft'>;

export type Entries = {
  /** Earliest first. */
  list: Entry[];
  total: number;
  /** True after every page was fetched once. */
  loaded: boolean;
  error: unknown;
  /** Both show the change at once, revert it if the service rejects it, and throw then. */
  review: (entry: Entry, review: Review) => Promise<void>;
  note: (entry: Entry, note: Note) => Promise<void>;
};

const PAGE = 50;
const LIVE_MS = 4_000;
const FAILED_MS = 5_000;
// Picture URLs are valid for an hour.
const RENEW_MS = 45 * 60_000;

type Known = { byId: ReadonlyMap<string, Entry>; total: number; loaded: boolean; error: unknown };
/** Time of an entry's last change in this window; infinite while the request runs. */
type Reviewed = Map<string, number>;
/** An entry with changes that have no answer yet. `saved`: what the service has of the changed fields. */
type Changing = { saved: Partial<Own>; open: Set<Partial<Own>>; last: Promise<unknown> };
const NOTHING: Known = { byId: new Map(), total: 0, loaded: false, error: null };

/**
 * All entries of a project. Fetches the pages in order. While `live`, it refetches only the last page, because new
 * entries appear at its end. A new `version` refetches everything, and so does time, before the URLs expire.
 */
export function useEntries(projectId: string, { live, version }: { live: boolean; version: string }): Entries {
  const [known, setKnown] = useState<Known>(NOTHING);
  const changing = useRef(new Map<string, Changing>());
  const reviewed = useRef<Reviewed>(new Map());
  useEffect(() => {
    const stop = new AbortController();
    void follow(projectId, live, stop.signal, (change) => {
      if (!stop.signal.aborted) setKnown((before) => change(before, reviewed.current));
    });
    return () => stop.abort();
  }, [projectId, live, version]);

  const change = useCallback(async (entry: Entry, fields: Partial<Own>, send: () => Promise<void>) => {
    const { id } = entry;
    const put = (own: Partial<Own>) => setKnown((before) => withOwn(before, id, own));
    put(fields);
    reviewed.current.set(id, Number.POSITIVE_INFINITY);
    const of = changing.current.get(id) ?? { saved: {}, open: new Set(), last: Promise.resolve() };
    changing.current.set(id, of);
    of.saved = { ...ownOf(entry, fields), ...of.saved };
    of.open.add(fields);
    // Changes of one entry are sent in order.
    of.last = of.last
      .catch(() => {})
      .then(send)
      .finally(() => of.open.delete(fields));
    try {
      await of.last;
      of.saved = { ...of.saved, ...fields };
    } catch (error) {
      // A field that a later change has set keeps it.
      const now = [of.saved, ...of.open].reduce((all, each) => ({ ...all, ...each }));
      put(ownOf(now, fields));
      throw error;
    } finally {
      if (of.open.size === 0) {
        changing.current.delete(id);
        reviewed.current.set(id, performance.now());
      }
    }
  }, []);
  const review = useCallback(
    async (entry: Entry, given: Review) => {
      const { score, feedback } = given;
      const scored = score === undefined ? {} : ({ score, score_source: 'poster' } as const);
      const path = { project_id: projectId, submission_id: entry.id };
      const told = feedback === undefined ? {} : { feedback, feedback_draft: null };
      await change(entry, { ...scored, ...told }, () => sendReview(path, given));
    },
    [change, projectId],
  );
  const note = useCallback(
    async (entry: Entry, fields: Note) =>
      await change(entry, fields, () => sendNote({ project_id: projectId, submission_id: entry.id }, fields)),
    [change, projectId],
  );
  const list = useMemo(() => withDistinctAgents([...known.byId.values()]), [known.byId]);
  return { ...known, list, review, note };
}

function withOwn(before: Known, id: string, own: Partial<Own>): Known {
  const entry = before.byId.get(id);
  return entry ? { ...before, byId: new Map(before.byId).set(id, { ...entry, ...own }) } : before;
}

/** The values of an entry in place of these fields. */
function ownOf(entry: Partial<Own>, fields: Partial<Own>): Partial<Own> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, entry[name as keyof Own]]));
}

async function follow(
  projectId: string,
  live: boolean,
  stop: AbortSignal,
  change: (apply: (before: Known, reviewed: Reviewed) => Known) => void,
): Promise<void> {
  let cursor: string | null = null;
  let startedAt = Date.now();
  const isResting = () => !live && !stop.aborted && Date.now() - startedAt < RENEW_MS;
  while (!stop.aborted) {
    const requestedAt = performance.now();
    const page: Page | Error = await read(projectId, cursor, stop);
    if (page instanceof Error) {
      change((before) => ({ ...before, error: page }));
      await pause(page instanceof ApiError ? Math.max(FAILED_MS, (page.retryAfter ?? 0) * 1000) : FAILED_MS);
      continue;
    }
    change((before, reviewed) => withPage(before, page, (id) => (reviewed.get(id) ?? 0) >= requestedAt));
    if (page.has_more) cursor = page.next_cursor;
    else
      do {
        await pause(LIVE_MS);
        await untilVisible(stop);
      } while (isResting());
    if (Date.now() - startedAt > RENEW_MS) [cursor, startedAt] = [null, Date.now()];
  }
}

type Page = ApiData<typeof ENTRIES>;

async function read(projectId: string, cursor: string | null, signal: AbortSignal): Promise<Page | Error> {
  try {
    const query = { limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    return await posterApi.call(ENTRIES, { params: { project_id: projectId }, query, signal });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Merges a fetched page. An entry that was changed during the fetch keeps the change. */
function withPage(before: Known, page: Page, isReviewed: (id: string) => boolean): Known {
  const byId = new Map(before.byId);
  for (const entry of page.submissions) {
    const known = byId.get(entry.id);
    const review = known && isReviewed(entry.id) ? known : entry;
    const { score, feedback, score_source, mark, feedback_draft } = review;
    byId.set(entry.id, { ...entry, score, feedback, score_source, mark, feedback_draft });
  }
  return { byId, total: page.counts.total, loaded: before.loaded || !page.has_more, error: null };
}

/** Waits while the page is in the background. */
async function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return;
  await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true, signal }));
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
