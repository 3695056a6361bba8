import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { GitCompareArrows, Trophy } from 'lucide-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ownPath } from '../api.ts';
import { poster } from '../messages/poster.ts';
import { scoreOfKey } from './score-input.tsx';
import type { Entry } from './use-entries.ts';
import classes from './gallery.module.css';

const text = poster.gallery;
const GAP = 16;
const CAPTION = 60;
const LEAST_WIDTH = 172;
const OVERSCAN = 3;

export type EntryWallProps = {
  entries: Entry[];
  marked: readonly string[];
  onOpen: (index: number) => void;
  onScore: (entry: Entry, score: number) => void;
  onMark: (entry: Entry) => void;
  onCompare: () => void;
};

/** One stop of the Tab key; the arrows move in it. Only the rows near the window are in the page. */
export function EntryWall({ entries, marked, onOpen, onScore, onMark, onCompare }: EntryWallProps) {
  const frame = useRef<HTMLUListElement>(null);
  const { width, top } = usePlace(frame);
  const columns = Math.max(2, Math.floor((width + GAP) / (LEAST_WIDTH + GAP)));
  const cell = Math.floor((width - GAP * (columns - 1)) / columns);
  const rows = useWindowVirtualizer({
    count: width === 0 ? 0 : Math.ceil(entries.length / columns),
    estimateSize: () => cell + CAPTION + GAP,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  useEffect(() => rows.measure(), [rows, cell]);
  const { current, setActive, moveTo } = useRoving(frame, entries.length, (index) =>
    rows.scrollToIndex(Math.floor(index / columns), { align: 'auto' }),
  );

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
    <ul ref={frame} className={classes.wall} style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().flatMap((row) =>
        Array.from({ length: Math.min(columns, entries.length - row.index * columns) }, (_, column) => {
          const index = row.index * columns + column;
          const entry = entries[index];
          if (!entry) return null;
          const left = column * (cell + GAP);
          return (
            <li
              key={entry.id}
              className={classes.cell}
              aria-setsize={entries.length}
              aria-posinset={index + 1}
              style={{ width: cell, height: cell + CAPTION, transform: `translate(${left}px, ${row.start - top}px)` }}
            >
              <EntryCard
                entry={entry}
                index={index}
                size={cell}
                isActive={index === current}
                isMarked={marked.includes(entry.id)}
                onOpen={() => {
                  setActive(index);
                  onOpen(index);
                }}
                onKey={(event) => onKey(event, index)}
              />
            </li>
          );
        }),
      )}
    </ul>
  );
}

/** Which one has the focus of the wall, and how it goes to another, which may not be in the page yet. */
function useRoving(frame: { current: HTMLElement | null }, total: number, reveal: (index: number) => void) {
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
  onOpen: () => void;
  onKey: (event: KeyboardEvent) => void;
};

function EntryCard({ entry, index, size, isActive, isMarked, onOpen, onKey }: EntryCardProps) {
  const isWinner = entry.outcome === 'won';
  const state = entry.disqualified_at !== null ? text.disqualified : isWinner ? text.won : null;
  return (
    <button
      type="button"
      data-index={index}
      data-entry={entry.id}
      tabIndex={isActive ? 0 : -1}
      className={classes.card}
      onClick={onOpen}
      onKeyDown={onKey}
    >
      <span
        className={classes.frame}
        style={{ height: size }}
        data-won={isWinner}
        data-out={entry.disqualified_at !== null}
      >
        <img src={ownPath(entry.thumbnail_url)} alt="" width={size} height={size} decoding="async" />
        {isMarked ? (
          <span className={classes.mark}>
            <GitCompareArrows size={16} aria-hidden="true" />
          </span>
        ) : null}
        <span className={classes.scored} data-scored={entry.score !== null}>
          {isWinner ? <Trophy size={14} aria-hidden="true" /> : null}
          {entry.score === null ? text.unscored : text.scoreOf(entry.score)}
        </span>
      </span>
      <span className={classes.title}>{entry.title}</span>
      <span className={classes.agent}>{state === null ? entry.agent.name : `${state} · ${entry.agent.name}`}</span>
      {isMarked ? <span className="only-read">{text.marked}</span> : null}
    </button>
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
