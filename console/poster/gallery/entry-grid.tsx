import { GitCompareArrows, Trophy } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { GridPicture, PictureGrid, usePictureGrid } from '../../components/pictures/public.ts';
import { poster } from '../../messages/public.ts';
import classes from './judge-gallery.module.css';
import { scoreOfKey } from './score-input.tsx';
import type { Entry } from './use-entries.ts';

const text = poster.gallery;

export type EntryGridProps = {
  entries: Entry[];
  marked: readonly string[];
  /** The entry that wins if a result on hold does not change. */
  leaderId: string | null;
  onOpen: (index: number) => void;
  onScore: (entry: Entry, score: number) => void;
  onMark: (entry: Entry) => void;
  onCompare: () => void;
};

/** The gallery's grid. It is one tab stop; arrow keys move inside it. */
export function EntryGrid({ entries, marked, leaderId, onOpen, onScore, onMark, onCompare }: EntryGridProps) {
  const grid = usePictureGrid(entries.length);
  const { columns } = grid;
  const { current, setActive, moveTo } = useRoving(grid, entries.length);

  function onKey(event: KeyboardEvent, index: number) {
    const entry = entries[index];
    if (!entry || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key]?.(columns, index, entries.length);
    const score = scoreOfKey(event.key);
    if (step !== undefined) moveTo(index + step);
    else if (score !== null) onScore(entry, score);
    else if (event.key.toLowerCase() === 'c') onMark(entry);
    else if (event.key.toLowerCase() === 'v') onCompare();
    else return;
    event.preventDefault();
  }

  return (
    <PictureGrid grid={grid} keyOf={(index) => entries[index]?.id ?? index}>
      {(index) => {
        const entry = entries[index];
        if (!entry) return null;
        return (
          <EntryCard
            entry={entry}
            index={index}
            size={grid.size}
            isActive={index === current}
            isMarked={marked.includes(entry.id)}
            isLeader={entry.id === leaderId}
            onOpen={() => {
              setActive(index);
              onOpen(index);
            }}
            onKey={(event) => onKey(event, index)}
          />
        );
      }}
    </PictureGrid>
  );
}

/** Roving tabindex: moves the focus between pictures, including pictures that are not rendered yet. */
function useRoving({ frame, reveal }: ReturnType<typeof usePictureGrid>, total: number) {
  const [active, setActive] = useState(0);
  const moved = useRef(false);
  const current = Math.min(active, total - 1);
  useEffect(() => {
    const button = moved.current ? frame.current?.querySelector<HTMLElement>(`[data-index="${current}"]`) : null;
    if (!button) return;
    moved.current = false;
    button.focus({ preventScroll: true });
  });
  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(total - 1, index));
    moved.current = true;
    setActive(next);
    reveal(next);
  };
  return { current, setActive, moveTo };
}

const STEPS: Record<string, (columns: number, index: number, total: number) => number> = {
  ArrowRight: () => 1,
  ArrowLeft: () => -1,
  ArrowDown: (columns) => columns,
  ArrowUp: (columns) => -columns,
  Home: (_, index) => -index,
  End: (_, index, total) => total - 1 - index,
};

type EntryCardProps = {
  entry: Entry;
  index: number;
  size: number;
  isActive: boolean;
  isMarked: boolean;
  isLeader: boolean;
  onOpen: () => void;
  onKey: (event: KeyboardEvent) => void;
};

function EntryCard({ entry, index, size, isActive, isMarked, isLeader, onOpen, onKey }: EntryCardProps) {
  const isWinner = entry.outcome === 'won';
  const states = statesOf(entry, isLeader);
  return (
    <GridPicture
      data-index={index}
      data-entry={entry.id}
      tabIndex={isActive ? 0 : -1}
      size={size}
      url={entry.thumbnail_url}
      title={entry.title}
      caption={[...states, entry.agent.name].join(' · ')}
      isWinner={isWinner}
      countLabel={entry.items.length > 1 ? text.items(entry.items.length) : undefined}
      isDisqualified={entry.disqualified_at !== null}
      badges={<Badges entry={entry} isWinner={isWinner} isMarked={isMarked} />}
      onClick={onOpen}
      onKeyDown={onKey}
    >
      {isMarked ? <span className="only-read">{text.marked}</span> : null}
    </GridPicture>
  );
}

function statesOf(entry: Entry, isLeader: boolean): string[] {
  const { outcome, disqualified_at: disqualified, judging_note: note, objection } = entry;
  return [
    ...(disqualified !== null ? [text.disqualified] : []),
    ...(outcome === 'won' ? [text.won] : []),
    ...(outcome === 'shared' ? [text.shared] : []),
    ...(isLeader ? [text.leads] : []),
    ...(note !== null ? [text.unscorable] : []),
    ...(objection !== null ? [text.objected] : []),
  ];
}

function Badges({ entry, isWinner, isMarked }: Pick<EntryCardProps, 'entry' | 'isMarked'> & { isWinner: boolean }) {
  return (
    <>
      {isMarked ? (
        <span className={classes.mark}>
          <GitCompareArrows size={16} aria-hidden="true" />
        </span>
      ) : null}
      <span className={classes.scored} data-scored={entry.score !== null}>
        {isWinner ? <Trophy size={14} aria-hidden="true" /> : null}
        {entry.score === null ? text.unscored : text.scoreOf(entry.score)}
      </span>
    </>
  );
}
