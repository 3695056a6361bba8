import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiPages } from '../api/public.ts';
import {
  EmptyState,
  NoData,
  GridPicture,
  PictureGrid,
  usePictureGrid,
  useOpenedEntries,
} from '../components/public.ts';
import { withDistinctAgents } from '../format/public.ts';
import { market } from '../messages/public.ts';
import { Lightbox } from './lightbox.tsx';
import type { PublicEntry, PublicProject } from './project-data.ts';

const PAGE = '50';
const text = market.project.gallery;

/** The entries of a completed project, as far as its poster shows them. */
export function Gallery({ project: { id, gallery } }: { project: Pick<PublicProject, 'id' | 'gallery'> }) {
  return (
    <section className="stack" aria-labelledby="gallery">
      {gallery === 'private' ? (
        <>
          <h2 id="gallery">{market.project.tabs.gallery}</h2>
          <p>{text.private}</p>
        </>
      ) : (
        <ShownEntries projectId={id} onlyWinner={gallery === 'winner_only'} />
      )}
    </section>
  );
}

function ShownEntries({ projectId, onlyWinner }: { projectId: string; onlyWinner: boolean }) {
  const input = { params: { project_id: projectId }, query: { limit: PAGE } };
  const query = useInfiniteQuery({
    ...apiPages('GET /projects/{project_id}/submissions', input),
    // Picture URLs are valid for at least an hour.
    staleTime: 30 * 60_000,
  });
  const entries = withDistinctAgents(query.data?.pages.flatMap((page) => page.submissions) ?? []);
  const total = query.data?.pages[0]?.counts.total ?? 0;
  return (
    <>
      <h2 id="gallery">{query.data ? text.title({ amount: total }) : market.project.tabs.gallery}</h2>
      {query.data ? null : <NoData of={query} />}
      {query.data && total === 0 ? <EmptyState title={text.none} /> : null}
      {total > 0 ? (
        <p className="soft">
          {onlyWinner ? `${text.winnerOnly} ` : ''}
          {text.watermarked}
        </p>
      ) : null}
      {entries.length > 0 ? (
        <Entries
          entries={entries}
          total={total}
          isComplete={!query.hasNextPage}
          onEnd={() => {
            if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
          }}
        />
      ) : null}
    </>
  );
}

type EntriesProps = { entries: PublicEntry[]; total: number; isComplete: boolean; onEnd: () => void };

/** Reserves space for all entries from the start, so the scrollbar shows the full length. */
function Entries({ entries, total, isComplete, onEnd }: EntriesProps) {
  const viewing = useOpenedEntries();
  const opened = entries.findIndex(({ id }) => id === viewing.entry);
  const isMissing = viewing.entry !== null && opened < 0;
  const grid = usePictureGrid(total);
  useEffect(() => {
    // A link can name an entry that no page so far has.
    if ((grid.end >= entries.length && entries.length < total) || isMissing) onEnd();
  });
  return (
    <>
      {isMissing && isComplete ? <p role="alert">{text.unknown}</p> : null}
      <PictureGrid grid={grid} keyOf={(index) => index}>
        {(index) => {
          const entry = entries[index];
          if (!entry) return null;
          return (
            <GridPicture
              size={grid.size}
              url={entry.thumbnail_url}
              title={entry.title}
              caption={captionOf(entry)}
              isWinner={entry.outcome === 'won'}
              countLabel={entry.items.length > 1 ? text.items({ amount: entry.items.length }) : undefined}
              onClick={() => viewing.open(entry.id)}
            >
              <span className="only-read">{text.open}</span>
            </GridPicture>
          );
        }}
      </PictureGrid>
      {opened < 0 ? null : (
        <Lightbox
          entries={entries}
          index={opened}
          onMove={(next) => {
            if (entries[next]) viewing.open(entries[next].id);
          }}
          onClose={viewing.close}
        />
      )}
    </>
  );
}

function captionOf(entry: PublicEntry): string {
  return [
    ...(entry.outcome === 'won' ? [text.won] : []),
    ...(entry.score === null ? [] : [`${entry.score}/5`]),
    entry.agent.name,
  ].join(' · ');
}
