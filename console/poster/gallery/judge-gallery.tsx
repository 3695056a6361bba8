import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { EmptyState, ErrorState, Loading } from '../../components/feedback/public.ts';
import { poster } from '../../messages/public.ts';
import type { OwnProject } from '../account/public.ts';
import { arrange, type Arrangement, type Filter, FILTERS, type Order, ORDERS } from './arrange.ts';
import { AwardDialog } from './award-dialog.tsx';
import { CompareView } from './compare-view.tsx';
import { EntryGrid } from './entry-grid.tsx';
import { EntryViewer } from './entry-viewer.tsx';
import classes from './judge-gallery.module.css';
import { type Entry, useEntries } from './use-entries.ts';

const text = poster.gallery;
const FEW = 2;

type JudgeGalleryProps = {
  project: OwnProject;
  onChosen: (project: OwnProject) => void;
  /** Called when the gallery has more entries than the project's count. */
  onMore: () => void;
};

/** All confirmed entries: view, score, compare, and choose. */
export function JudgeGallery({ project, onChosen, onMore }: JudgeGalleryProps) {
  const live = project.status === 'open' || project.status === 'judging';
  const hold = project.result_on_hold;
  const entries = useEntries(project.id, { live, version: versionOf(project) });
  useNews(entries.total, project.total_submissions, onMore);
  const arranged = useArranged(entries.list, entries.loaded, live ? 'unscored' : 'best');
  const { shown } = arranged;
  const [opened, setOpened] = useState<number | null>(null);
  const { marked, pair, mark, comparing, setComparing } = useMarks(entries.list);
  const [choosing, setChoosing] = useState<Entry | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  // The poster's time for judging is over once a result is on hold.
  const canScore = live && project.selection === null && hold === null;
  const score = (entry: Entry, given: number) => {
    if (!canScore || entry.disqualified_at !== null) return;
    setFailure(null);
    entries.review(entry, given, entry.feedback ?? '').catch(() => setFailure(text.failed(entry.title)));
  };
  const choose = (entry: Entry) => {
    setOpened(null);
    setChoosing(entry);
  };

  return (
    <section className={classes.section} aria-labelledby="entries">
      <h2 id="entries">{text.title}</h2>
      <Content entries={entries} live={live}>
        <GalleryBar arranged={arranged} marked={pair.length} onCompare={() => setComparing(true)} />
        <p role="status">{text.loaded(shown.length, entries.total)}</p>
        <p className={classes.note}>{isBought(project) ? text.bought : text.watermarked}</p>
        <p className={classes.keys}>{canScore ? text.keys : text.keysToLook}</p>
        {failure ? (
          <p role="alert" className={classes.failure}>
            {failure}
          </p>
        ) : null}
        {shown.length === 0 ? <p className="soft">{text.noneOfFilter}</p> : null}
        <EntryGrid
          entries={shown}
          marked={marked}
          leaderId={leaderOf(project)}
          onOpen={setOpened}
          onScore={score}
          onMark={mark}
          onCompare={() => setComparing(pair.length === FEW)}
        />
      </Content>
      {opened !== null && shown[opened] ? (
        <EntryViewer
          entries={shown}
          index={opened}
          isMarked={marked.includes(shown[opened].id)}
          canScore={canScore}
          isHeld={hold !== null}
          onReview={entries.review}
          onMark={mark}
          onChoose={canScore && project.status === 'judging' ? choose : null}
          onMove={setOpened}
          onClose={() => setOpened(null)}
        />
      ) : null}
      {comparing && pair.length === FEW ? (
        <CompareView pair={pair} canScore={canScore} onScore={score} onClose={() => setComparing(false)} />
      ) : null}
      <AwardDialog project={project} entry={choosing} onChosen={onChosen} onClose={() => setChoosing(null)} />
    </section>
  );
}

/** The winner's prize is paid, so the poster sees its preview without a watermark. */
function isBought({ status, winner_submission_id: winner }: OwnProject): boolean {
  return status === 'completed' && winner !== null;
}

/** Entries change with it. An objection, or its decision, moves the end of a hold. */
function versionOf({ status, winner_submission_id: winner, payout_status: payout, result_on_hold: hold }: OwnProject) {
  return [status, winner, payout, hold?.decided_at, hold?.payout_held_until].join(' ');
}

/** Returns the id of the entry that wins if a result on hold does not change. */
function leaderOf({ result_on_hold: hold }: OwnProject): string | null {
  return hold?.winner_submission_id ?? null;
}

type GalleryBarProps = {
  arranged: ReturnType<typeof useArranged>;
  marked: number;
  onCompare: () => void;
};

function GalleryBar({ arranged, marked, onCompare }: GalleryBarProps) {
  const { filter, setFilter, order, setOrder } = arranged;
  return (
    <div className={classes.bar}>
      <NativeSelect
        label={text.filter}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value as Filter)}
        data={FILTERS.map((value) => ({ value, label: text.filters[value] }))}
      />
      <NativeSelect
        label={text.order}
        value={order}
        onChange={(event) => setOrder(event.currentTarget.value as Order)}
        data={ORDERS.map((value) => ({ value, label: text.orders[value] }))}
      />
      <Button variant="default" disabled={marked < FEW} onClick={onCompare}>
        {marked < FEW ? text.compareLater(marked) : text.compare}
      </Button>
    </div>
  );
}

type ContentProps = { entries: ReturnType<typeof useEntries>; live: boolean; children: ReactNode };

function Content({ entries, live, children }: ContentProps) {
  if (entries.list.length > 0) return children;
  if (entries.error) return <ErrorState error={entries.error} />;
  if (!entries.loaded)
    return (
      <Loading>
        <Skeleton height={320} radius="lg" />
      </Loading>
    );
  return live ? <EmptyState {...text.none} /> : <EmptyState title={text.noEntries} />;
}

/** Refetches the project when an entry arrives that its count does not include. */
function useNews(total: number, known: number, onMore: () => void) {
  const reported = useRef(known);
  useEffect(() => {
    if (total <= Math.max(known, reported.current)) return;
    reported.current = total;
    onMore();
  }, [total, known, onMore]);
}

/** Holds at most two marks: a third replaces the first. */
function useMarks(list: Entry[]) {
  const [marked, setMarked] = useState<readonly string[]>([]);
  const [comparing, setComparing] = useState(false);
  const pair = marked.flatMap((id) => list.find((entry) => entry.id === id) ?? []);
  const mark = ({ id }: Entry) =>
    setMarked(marked.includes(id) ? marked.filter((each) => each !== id) : [...marked, id].slice(-FEW));
  return { marked, pair, mark, comparing, setComparing };
}

function useArranged(list: Entry[], loaded: boolean, usual: Order) {
  const [filter, setFilter] = useState<Filter>('all');
  const [chosen, setOrder] = useState<Order | null>(null);
  const order = chosen ?? usual;
  const [arranged, setArranged] = useState<Arrangement>({ key: '', ids: [] });
  const next = arrange(arranged, list, { filter, order, loaded });
  if (next !== arranged) setArranged(next);
  const byId = new Map(list.map((entry) => [entry.id, entry]));
  const shown = next.ids.flatMap((id) => byId.get(id) ?? []);
  return { shown, filter, setFilter, order, setOrder };
}
