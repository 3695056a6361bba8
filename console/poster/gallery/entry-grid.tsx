import { Trophy } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { GridPicture, PictureGrid, usePictureGrid } from '../../components/public.ts';
import { poster } from '../../messages/public.ts';
import type { Entry } from '../judging/entry-requests.ts';
import type { Judge } from '../judging/use-judge.ts';
import { togglesOf } from '../viewer/entry-acts.tsx';
import { actKeysOf, actOnKey } from '../viewer/shortcuts.ts';
import classes from './judge-gallery.module.css';

const text = poster.gallery;

export type EntryGridProps = {
  entries: Entry[];
  judge: Judge;
  /** The least width of a picture. */
  size: number;
  /** The entry that wins if a result on hold, or the poster's choice that waits, does not change. */
  leaderId: string | null;
  onOpen: (entry: Entry) => void;
  onCompare: () => void;
};

/** The gallery's grid. It is one tab stop; arrow keys move inside it. */
export function EntryGrid({ entries, judge, size, leaderId, onOpen, onCompare }: EntryGridProps) {
  const grid = usePictureGrid(entries.length, size);
  const { columns } = grid;
  const { current, setActive, moveTo, position } = useRoving(grid, entries.length);

  function onKey(event: KeyboardEvent) {
    // `position` and not the focus, which follows at the next render: a fast key must not score the entry before.
    const index = position();
    const entry = entries[index];
    if (!entry) return;
    const to = (step: number) => () => moveTo(index + step);
    actOnKey(event, {
      ...actKeysOf(judge, entry),
      c: () => judge.compare(entry),
      v: onCompare,
      arrowright: to(1),
      arrowleft: to(-1),
      arrowdown: to(columns),
      arrowup: to(-columns),
      home: to(-index),
      end: to(entries.length - 1 - index),
    });
  }

  return (
    <PictureGrid grid={grid} keyOf={(index) => entries[index]?.id ?? index}>
      {(index) => {
        const entry = entries[index];
        if (!entry) return null;
        return (
          <EntryCard
            entry={entry}
            judge={judge}
            isLeader={entry.id === leaderId}
            data-index={index}
            tabIndex={index === current ? 0 : -1}
            size={grid.size}
            onClick={() => {
              setActive(index);
              onOpen(entry);
            }}
            onFocus={() => setActive(index)}
            onKeyDown={onKey}
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
  const place = useRef(0);
  const current = Math.min(active, total - 1);
  useEffect(() => {
    // After a further key, the render of that key moves the focus.
    const isDue = moved.current && current === place.current;
    const button = isDue ? frame.current?.querySelector<HTMLElement>(`[data-index="${current}"]`) : null;
    if (!button) return;
    moved.current = false;
    button.focus({ preventScroll: true });
  });
  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(total - 1, index));
    if (next === place.current) return;
    moved.current = true;
    place.current = next;
    setActive(next);
    reveal(next);
  };
  const focused = (index: number) => {
    // An entry that was passed on the way may report its focus late.
    if (moved.current) return;
    place.current = index;
    setActive(index);
  };
  return { current, setActive: focused, moveTo, position: () => Math.min(place.current, total - 1) };
}

type EntryCardProps = { entry: Entry; judge: Judge; isLeader: boolean } & Pick<
  ComponentProps<typeof GridPicture>,
  'size' | 'tabIndex' | 'onClick' | 'onFocus' | 'onKeyDown'
> & { 'data-index': number };

/** The button of a picture gets the other props. */
function EntryCard({ entry, judge, isLeader, ...button }: EntryCardProps) {
  const isWinner = entry.outcome === 'won';
  const isCompared = judge.compared.includes(entry.id);
  const states = statesOf(entry, { isLeader, closes: judge.choice?.closes === true, isCompared });
  return (
    <div className={classes.card}>
      <GridPicture
        {...button}
        data-entry={entry.id}
        url={entry.thumbnail_url}
        title={entry.title}
        caption={[...states, entry.agent.name].join(' · ')}
        isWhole
        isWinner={isWinner}
        countLabel={entry.items.length > 1 ? text.items({ amount: entry.items.length }) : undefined}
        isDisqualified={entry.disqualified_at !== null || entry.mark === 'out'}
        badges={<Badges entry={entry} isWinner={isWinner} />}
      />
      <Tools entry={entry} judge={judge} />
    </div>
  );
}

type States = { isLeader: boolean; closes: boolean; isCompared: boolean };

function statesOf(entry: Entry, { isLeader, closes, isCompared }: States): string[] {
  const { outcome, disqualified_at: disqualified, judging_note: note, resembles } = entry;
  const words: [holds: boolean, text: string][] = [
    [disqualified !== null, text.disqualified],
    [outcome === 'won', text.won],
    [outcome === 'shared', text.shared],
    [isLeader, closes ? text.planned : text.leads],
    [entry.mark === 'shortlist', text.shortlisted],
    [entry.mark === 'out', text.out],
    [isCompared, text.marked],
    [Boolean(entry.feedback_draft), text.drafted],
    [note !== null, text.unscorable],
    [resembles !== null, resembles?.exact ? text.copy : text.alike],
    [!entry.agent_has_wallet, text.noWallet],
  ];
  return words.flatMap(([holds, word]) => (holds ? [word] : []));
}

function Badges({ entry, isWinner }: { entry: Entry; isWinner: boolean }) {
  return (
    <span className={classes.scored} data-scored={entry.score !== null}>
      {isWinner ? <Trophy size={14} aria-hidden="true" /> : null}
      {entry.score === null ? text.unscored : text.scoreOf({ score: entry.score })}
    </span>
  );
}

/** Marks by pointer. Keys and the viewer do the same, so they are no tab stops. */
function Tools({ entry, judge }: { entry: Entry; judge: Judge }) {
  const { title } = entry;
  const labels = {
    shortlist: text.toShortlist({ title }),
    out: text.toOut({ title }),
    mark: text.toCompare({ title }),
  };
  return (
    <div className={classes.tools}>
      {togglesOf(judge, entry).map(({ id, icon: Icon, on, act }) => (
        <button
          key={id}
          type="button"
          className={`round framed toggle ${classes.tool}`}
          tabIndex={-1}
          aria-label={labels[id]}
          title={labels[id]}
          aria-pressed={on}
          onClick={act}
        >
          <Icon size={16} aria-hidden="true" />
        </button>
      ))}
    </div>
  );
}
