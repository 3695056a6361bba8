import { Button } from '@mantine/core';
import { ChevronLeft, ChevronRight, GitCompareArrows, Trophy, X, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { sameOriginPath } from '../../api/public.ts';
import { IconButton } from '../../components/controls/public.ts';
import { ItemStrip } from '../../components/pictures/public.ts';
import { poster } from '../../messages/public.ts';
import { EntryNotes } from './entry-notes.tsx';
import { ReviewForm } from './review-form.tsx';
import { isTyping, scoreOfKey } from './score-input.tsx';
import type { Entry } from './use-entries.ts';
import classes from './viewer.module.css';

const text = poster.viewer;

export type EntryViewerProps = {
  entries: Entry[];
  index: number;
  isMarked: boolean;
  canScore: boolean;
  /** A result is on hold, so the poster can no longer judge. */
  isHeld: boolean;
  onReview: (entry: Entry, score: number, feedback: string) => Promise<void>;
  onMark: (entry: Entry) => void;
  /** Null if no winner can be chosen. */
  onChoose: ((entry: Entry) => void) | null;
  onMove: (index: number) => void;
  onClose: () => void;
};

/** Actions by key, in lower case. */
type Shortcuts = Record<string, () => void>;

/** One entry at full size, with score, feedback, and the choice as winner. The native dialog traps the focus. */
export function EntryViewer(props: EntryViewerProps) {
  const { entries, index, onMove, onClose } = props;
  const dialog = useModal();
  const [zoomed, setZoomed] = useState(false);
  const [item, setItem] = useState(0);
  const entry = entries[index];
  if (!entry) return null;
  const go = (step: number) => {
    if (!entries[index + step]) return;
    setZoomed(false);
    setItem(0);
    onMove(index + step);
  };
  const show = (next: number) => {
    if (entry.items[next]) setItem(next);
  };

  function onKey(event: KeyboardEvent) {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey || !entry) return;
    const score = scoreOfKey(event.key);
    const canMove = !(event.target instanceof HTMLInputElement) && !zoomed;
    const moves: Shortcuts = {
      arrowright: () => go(1),
      arrowleft: () => go(-1),
      arrowdown: () => show(item + 1),
      arrowup: () => show(item - 1),
    };
    const others: Shortcuts = {
      z: () => setZoomed(!zoomed),
      c: () => props.onMark(entry),
      f: () => dialog.current?.querySelector('textarea')?.focus(),
    };
    const act =
      score !== null && isScorable(props.canScore, entry)
        ? () => void props.onReview(entry, score, entry.feedback ?? '').catch(() => {})
        : { ...(canMove ? moves : {}), ...others }[event.key.toLowerCase()];
    if (!act) return;
    act();
    event.preventDefault();
  }

  return (
    <dialog
      ref={dialog}
      className={classes.box}
      aria-label={text.picture(entry.title, entry.agent.name)}
      onClose={onClose}
      onKeyDown={onKey}
    >
      <Picture entry={entry} item={item} zoomed={zoomed} />
      <ViewerSide
        {...props}
        entry={entry}
        item={item}
        onItem={setItem}
        zoomed={zoomed}
        onZoom={() => setZoomed(!zoomed)}
        onGo={go}
      />
    </dialog>
  );
}

type ViewerSideProps = EntryViewerProps & {
  entry: Entry;
  /** Index of the shown picture of the entry. */
  item: number;
  onItem: (index: number) => void;
  zoomed: boolean;
  onZoom: () => void;
  onGo: (step: number) => void;
};

function ViewerSide({ entry, item, onItem, zoomed, onZoom, onGo, ...props }: ViewerSideProps) {
  const { entries, index } = props;
  return (
    <div className={classes.side}>
      <div className={classes.top}>
        <p className="soft" aria-live="polite">
          {text.position(index + 1, entries.length)}
        </p>
        <IconButton label={zoomed ? text.zoomOut : text.zoomIn} onClick={onZoom}>
          {zoomed ? <ZoomOut size={20} /> : <ZoomIn size={20} />}
        </IconButton>
        <IconButton label={text.previous} disabled={index === 0} onClick={() => onGo(-1)}>
          <ChevronLeft size={20} />
        </IconButton>
        <IconButton label={text.next} disabled={index === entries.length - 1} onClick={() => onGo(1)}>
          <ChevronRight size={20} />
        </IconButton>
        <IconButton label={text.close} onClick={props.onClose}>
          <X size={20} />
        </IconButton>
      </div>
      <div>
        <h2 className={classes.title}>{entry.title}</h2>
        <p className="soft">{entry.agent.name}</p>
        {entry.disqualified_at === null ? null : (
          <p className={classes.out}>
            {poster.gallery.disqualified}: {entry.disqualify_reason}
          </p>
        )}
      </div>
      <ItemStrip
        items={entry.items}
        shown={item}
        label={poster.gallery.items(entry.items.length)}
        labelOf={(each) => text.item(each, entry.items.length)}
        onShow={onItem}
      />
      {entry.description ? (
        <div>
          <h3 className={classes.sub}>{text.description}</h3>
          <p className={classes.words}>{entry.description}</p>
        </div>
      ) : null}
      <EntryNotes entry={entry} />
      <ReviewForm
        key={entry.id}
        entry={entry}
        canScore={isScorable(props.canScore, entry)}
        isHeld={props.isHeld}
        onReview={props.onReview}
      />
      <Acts {...props} entry={entry} />
      {props.canScore && !props.onChoose ? <p className={classes.hint}>{text.chooseLater}</p> : null}
      <p className={classes.keys}>
        {text.keys} {entry.items.length > 1 ? text.itemKeys : ''}
      </p>
    </div>
  );
}

type ActsProps = Pick<EntryViewerProps, 'isMarked' | 'onMark' | 'onChoose'> & { entry: Entry };

function Acts({ entry, isMarked, onMark, onChoose }: ActsProps) {
  return (
    <div className={classes.acts}>
      <Button
        variant="default"
        leftSection={<GitCompareArrows size={18} aria-hidden="true" />}
        onClick={() => onMark(entry)}
      >
        {isMarked ? text.unmark : text.mark}
      </Button>
      {onChoose && entry.disqualified_at === null ? (
        <Button leftSection={<Trophy size={18} aria-hidden="true" />} onClick={() => onChoose?.(entry)}>
          {text.choose}
        </Button>
      ) : null}
    </div>
  );
}

function isScorable(canScore: boolean, entry: Entry): boolean {
  return canScore && entry.disqualified_at === null;
}

/** Opens a native modal dialog. The browser returns the focus when it closes. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return dialog;
}

/** The picture, fitted to the window or at full size with scrolling. */
function Picture({ entry, item, zoomed }: { entry: Entry; item: number; zoomed: boolean }) {
  const { image_url: url, width, height } = entry.items[item] ?? entry;
  const image = (
    <img src={sameOriginPath(url)} alt={text.picture(entry.title, entry.agent.name)} width={width} height={height} />
  );
  if (!zoomed) return <div className={classes.fitted}>{image}</div>;
  return (
    // A scrollable region must be reachable by keyboard.
    <div className={classes.zoomed} role="region" aria-label={text.zoomed} tabIndex={0}>
      {image}
    </div>
  );
}
