import { EmptyState, ErrorState, Failure, Loading, useOpenedEntries } from '../../components/public.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { poster } from '../../messages/public.ts';
import type { OwnProject } from '../account/own-projects.ts';
import type { Entry } from '../judging/entry-requests.ts';
import { LEAST_COMPARED, useJudge } from '../judging/use-judge.ts';
import { useArranged } from '../judging/arrange.ts';
import { useEntries } from '../judging/use-entries.ts';
import { isTyping } from '../viewer/shortcuts.ts';
import { KeysHelp } from '../viewer/keys-help.tsx';
import { AwardDialog } from './award-dialog.tsx';
import { EntryGrid } from './entry-grid.tsx';
import { GalleryBar, usePictureSize } from './gallery-bar.tsx';
import { isViewShown, OpenedView } from './opened-view.tsx';

const text = poster.gallery;

type JudgeGalleryProps = {
  project: OwnProject;
  /** Shown while there are no entries, and more can come. */
  empty: ReactNode;
  /** The brief beside the entries, which key B shows and hides. */
  brief: { isShown: boolean; toggle: () => void };
  onChosen: (project: OwnProject) => void;
  /** Called when the gallery has more entries than the project's count. */
  onMore: () => void;
};

/** All confirmed entries: view, score, mark, compare, and choose. */
export function JudgeGallery({ project, empty, brief, onChosen, onMore }: JudgeGalleryProps) {
  const live = project.status === 'open' || project.status === 'judging';
  const entries = useEntries(project.id, { live, version: versionOf(project) });
  useNews(entries.total, project.total_submissions, onMore);
  const arranged = useArranged(entries.list, entries.loaded, live && project.selection === null ? 'unscored' : 'best');
  const { shown, byId } = arranged;
  const list = useListStart(`${arranged.filter} ${arranged.order}`);
  const [size, setSize] = usePictureSize();
  const [choosing, setChoosing] = useState<Entry | null>(null);
  const [hasKeys, setKeys] = useState(false);
  const viewing = useOpenedEntries();
  const isViewing = isViewShown(viewing, byId);
  const judge = useJudge(project, entries, (entry) => {
    viewing.close();
    setChoosing(entry);
  });
  const compared = judge.compared.filter((id) => byId.has(id));
  const compare = () => (compared.length >= LEAST_COMPARED ? viewing.compare(compared) : undefined);
  usePageKeys(isViewing || hasKeys || choosing !== null, { b: brief.toggle, '?': () => setKeys(true) });
  return (
    <section className="stack" aria-labelledby="entries" ref={list.start}>
      <h2 id="entries">{text.title}</h2>
      <Content entries={entries} count={project.total_submissions} empty={empty}>
        <GalleryBar
          arranged={arranged}
          compared={compared.length}
          size={size}
          onSize={setSize}
          brief={brief}
          onCompare={compare}
          onKeys={() => setKeys(true)}
        />
        <Loaded shown={shown.length} total={entries.total} />
        {judge.outcomes.map(({ id, act, title, failure }) => (
          <Failure key={`${id} ${act}`}>{failure === null ? null : text.failed({ title, why: failure })}</Failure>
        ))}
        {shown.length === 0 ? <p className="soft">{text.noneOfFilter}</p> : null}
        <EntryGrid
          key={list.key}
          entries={shown}
          judge={judge}
          size={size}
          leaderId={leaderOf(project)}
          onOpen={({ id }) => viewing.open(id)}
          onCompare={compare}
        />
      </Content>
      <OpenedView
        project={project}
        viewing={viewing}
        shown={shown}
        byId={byId}
        loaded={entries.loaded}
        judge={judge}
        onCompare={compare}
        onKeys={() => setKeys(true)}
      />
      {hasKeys ? <KeysHelp onClose={() => setKeys(false)} /> : null}
      <AwardDialog
        project={project}
        // The viewer is a native dialog, which would cover this one until it is closed.
        entry={isViewing ? null : choosing}
        unsent={entries.list.filter(judge.hasUnsent).length}
        onSend={async () => await judge.keeper.settle()}
        onChosen={onChosen}
        onClose={() => setChoosing(null)}
      />
    </section>
  );
}

/**
 * Another filter or order begins at its first entry. The key makes a new grid, so that no scroll of the old one goes on.
 */
function useListStart(key: string) {
  const start = useRef<HTMLElement>(null);
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    if ((start.current?.getBoundingClientRect().top ?? 0) < 0) start.current?.scrollIntoView();
  }, [key]);
  return { key, start };
}

/** Entries change with it. The operator can hold or release a result. */
function versionOf({ status, winner_submission_id: winner, payout_status: payout, result_on_hold: hold }: OwnProject) {
  return [status, winner, payout, hold?.decided_at, hold?.pay_after].join(' ');
}

/** Returns the id of the entry that wins if a result on hold, or a choice that waits, does not change. */
function leaderOf({ result_on_hold: hold, planned_winner_id: planned }: OwnProject): string | null {
  return hold?.winner_submission_id ?? planned;
}

function Loaded({ shown, total }: { shown: number; total: number }) {
  return <p role="status">{text.loaded({ shown, total, all: String(shown === total) })}</p>;
}

type ContentProps = { entries: ReturnType<typeof useEntries>; count: number; empty: ReactNode; children: ReactNode };
/** More entries fill the window. What follows them is below it from the start. */
const FEW = 4;

function Content({ entries, count, empty, children }: ContentProps) {
  if (entries.list.length > 0) return children;
  if (entries.error) return <ErrorState error={entries.error} />;
  if (!entries.loaded) return <Loading height={count > FEW ? 900 : 320} />;
  return empty ?? <EmptyState title={text.noEntries} />;
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

/** Keys of the page. They rest while a dialog is open, and while the focus is in a field or outside the entries. */
function usePageKeys(rest: boolean, keys: Record<string, () => void>): void {
  const latest = useRef({ rest, keys });
  useEffect(() => {
    latest.current = { rest, keys };
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      if (latest.current.rest || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(target instanceof Element) || isTyping(target)) return;
      if (target !== document.body && !target.closest('[aria-labelledby="entries"], main h1')) return;
      latest.current.keys[event.key.toLowerCase()]?.();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
