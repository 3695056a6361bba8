import { useInfiniteQuery } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { api, ownPath } from '../api.ts';
import { EmptyState, ErrorState, Loading } from '../components/states.tsx';
import { market } from '../messages/market.ts';
import { Lightbox } from './lightbox.tsx';
import type { PublicEntry } from './shown.ts';
import pageClasses from './project-page.module.css';
import classes from './gallery.module.css';
import { Skeleton } from '../components/skeleton.tsx';

const PAGE = '50';
const GAP = 16;
const CAPTION = 58;
const LEAST_WIDTH = 168;
// Rows beyond the window: what is scrolled into is there already.
const OVERSCAN = 3;
const text = market.project.gallery;

/** The entries of a completed project. */
export function Gallery({ projectId }: { projectId: string }) {
  const asked = useInfiniteQuery({
    queryKey: ['GET /projects/{project_id}/submissions', projectId],
    queryFn: ({ pageParam, signal }) =>
      api.call('GET /projects/{project_id}/submissions', {
        params: { project_id: projectId },
        query: { limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    // The pictures' addresses last an hour at least.
    staleTime: 30 * 60_000,
  });
  const entries = asked.data?.pages.flatMap((page) => page.submissions) ?? [];
  const total = asked.data?.pages[0]?.counts.total ?? 0;
  return (
    <section className={pageClasses.section} aria-labelledby="gallery">
      <h2 id="gallery">{asked.data ? text.title(total) : market.project.tabs.gallery}</h2>
      {asked.isPending ? (
        <Loading>
          <Skeleton height={320} />
        </Loading>
      ) : null}
      {asked.error && !asked.data ? <ErrorState error={asked.error} onRetry={() => void asked.refetch()} /> : null}
      {asked.data && total === 0 ? <EmptyState title={text.none} /> : null}
      {entries.length > 0 ? (
        <Wall
          entries={entries}
          total={total}
          onEnd={() => {
            if (asked.hasNextPage && !asked.isFetchingNextPage) void asked.fetchNextPage();
          }}
        />
      ) : null}
    </section>
  );
}

type WallProps = { entries: PublicEntry[]; total: number; onEnd: () => void };

/**
 * Only the rows near the window are in the page. The place of those that are not loaded yet is kept from the beginning on, so
 * that the scrollbar says how much there is.
 */
function Wall({ entries, total, onEnd }: WallProps) {
  const [opened, setOpened] = useState<number | null>(null);
  const frame = useRef<HTMLUListElement>(null);
  const { width, top } = usePlace(frame);
  const columns = Math.max(2, Math.floor((width + GAP) / (LEAST_WIDTH + GAP)));
  const cell = Math.floor((width - GAP * (columns - 1)) / columns);
  const rows = useWindowVirtualizer({
    count: width === 0 ? 0 : Math.ceil(total / columns),
    estimateSize: () => cell + CAPTION + GAP,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  useEffect(() => rows.measure(), [rows, cell]);
  const shown = rows.getVirtualItems();
  const lastShown = ((shown.at(-1)?.index ?? 0) + 1) * columns;
  useEffect(() => {
    if (lastShown >= entries.length && entries.length < total) onEnd();
  });
  return (
    <>
      <ul ref={frame} className={classes.wall} style={{ height: rows.getTotalSize() }}>
        {shown.flatMap((row) =>
          Array.from({ length: Math.min(columns, total - row.index * columns) }, (_, column) => {
            const index = row.index * columns + column;
            const entry = entries[index];
            const left = column * (cell + GAP);
            return (
              <li
                key={index}
                className={classes.cell}
                aria-setsize={total}
                aria-posinset={index + 1}
                style={{ width: cell, height: cell + CAPTION, transform: `translate(${left}px, ${row.start - top}px)` }}
              >
                {entry ? <Picture entry={entry} size={cell} onOpen={() => setOpened(index)} /> : null}
              </li>
            );
          }),
        )}
      </ul>
      {opened !== null && entries[opened] ? (
        <Lightbox entries={entries} index={opened} onMove={setOpened} onClose={() => setOpened(null)} />
      ) : null}
    </>
  );
}

/** Where the wall begins in the document, and how wide it is. */
function usePlace(frame: { current: HTMLElement | null }): { width: number; top: number } {
  const [place, setPlace] = useState({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const look = () => {
      const { width, top } = element.getBoundingClientRect();
      setPlace((before) => {
        const now = { width: Math.floor(width), top: Math.round(top + window.scrollY) };
        return before.width === now.width && before.top === now.top ? before : now;
      });
    };
    look();
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    watcher.observe(document.body);
    return () => watcher.disconnect();
  }, [frame]);
  return place;
}

function Picture({ entry, size, onOpen }: { entry: PublicEntry; size: number; onOpen: () => void }) {
  return (
    <button type="button" className={classes.open} onClick={onOpen}>
      <span className={classes.frame} style={{ height: size }} data-won={entry.outcome === 'won'}>
        <img src={ownPath(entry.thumbnail_url)} alt="" width={size} height={size} decoding="async" />
      </span>
      <span className={classes.title}>{entry.title}</span>
      <span className={classes.agent}>{captionOf(entry)}</span>
      <span className="only-read">{text.open}</span>
    </button>
  );
}

function captionOf(entry: PublicEntry): string {
  if (entry.outcome === 'won') return `${text.won} · ${entry.agent.name}`;
  return entry.score === null ? entry.agent.name : `${entry.score}/5 · ${entry.agent.name}`;
}
