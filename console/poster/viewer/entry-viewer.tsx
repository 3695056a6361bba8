import { useSwipe, useModal } from '../../components/public.ts';
import { type KeyboardEvent, useState } from 'react';
import { sameOriginPath } from '../../api/public.ts';
import { poster } from '../../messages/public.ts';
import type { Entry } from '../judging/entry-requests.ts';
import { Filmstrip } from './filmstrip.tsx';
import { actKeysOf, actOnKey, type Shortcuts } from './shortcuts.ts';
import { type EntryViewerProps, ViewerSide } from './viewer-side.tsx';
import classes from './viewer.module.css';

const text = poster.viewer;

/** One entry at full size, with score, feedback, and the choice as winner. The native dialog traps the focus. */
export function EntryViewer({ project, entries, index, judge, onMove, ...props }: EntryViewerProps) {
  const dialog = useModal();
  const [zoomed, setZoomed] = useState(false);
  const [item, setItem] = useState(0);
  const [hasBrief, setBrief] = useState(false);
  const entry = entries[index];
  const move = (next: number) => {
    if (!entries[next]) return;
    setZoomed(false);
    setItem(0);
    onMove(next);
  };
  const swipe = useSwipe((step) => move(index + step));
  if (!entry) return null;
  const show = (next: number) => setItem(Math.max(0, Math.min(entry.items.length - 1, next)));

  const moves = movesOf({ move, show, index, item, last: entries.length - 1 });
  const keys: Shortcuts = {
    ...(zoomed ? {} : moves),
    ...actKeysOf(judge, entry),
    c: () => judge.compare(entry),
    z: () => setZoomed(!zoomed),
    b: () => setBrief(!hasBrief),
    f: () => dialog.current?.querySelector('textarea')?.focus(),
    v: props.onCompare,
    '?': props.onKeys,
  };
  const onKey = (event: KeyboardEvent) => {
    // Arrow keys in the scores move between them.
    if (event.target instanceof HTMLInputElement && event.key.toLowerCase() in moves) return;
    actOnKey(event, keys);
  };

  return (
    <dialog
      ref={dialog}
      className={`whole ${classes.box}`}
      tabIndex={-1}
      aria-label={text.picture({ title: entry.title, agent: entry.agent.name })}
      onClose={props.onClose}
      onKeyDown={onKey}
    >
      <div className={classes.stage}>
        <Picture entry={entry} item={item} zoomed={zoomed} swipe={swipe} />
        <Filmstrip entries={entries} index={index} onMove={move} />
      </div>
      <ViewerSide
        project={project}
        entries={entries}
        index={index}
        entry={entry}
        judge={judge}
        item={item}
        onItem={setItem}
        zoomed={zoomed}
        onZoom={() => setZoomed(!zoomed)}
        hasBrief={hasBrief}
        onBrief={() => setBrief(!hasBrief)}
        onGo={(step) => move(index + step)}
        {...props}
      />
    </dialog>
  );
}

type Moves = {
  move: (index: number) => void;
  show: (item: number) => void;
  index: number;
  item: number;
  last: number;
};

const movesOf = ({ move, show, index, item, last }: Moves): Shortcuts => ({
  arrowright: () => move(index + 1),
  arrowleft: () => move(index - 1),
  arrowdown: () => show(item + 1),
  arrowup: () => show(item - 1),
  home: () => move(0),
  end: () => move(last),
});

type PictureProps = { entry: Entry; item: number; zoomed: boolean; swipe: ReturnType<typeof useSwipe> };

/** The picture, fitted to the window or at full size with scrolling. */
function Picture({ entry, item, zoomed, swipe }: PictureProps) {
  const { image_url: url, width, height } = entry.items[item] ?? entry;
  const image = (
    <img
      src={sameOriginPath(url)}
      alt={text.picture({ title: entry.title, agent: entry.agent.name })}
      width={width}
      height={height}
      draggable={false}
    />
  );
  if (!zoomed)
    return (
      <div className={classes.fitted} {...swipe}>
        {image}
      </div>
    );
  return (
    // A scrollable region must be reachable by keyboard.
    <div className={classes.zoomed} role="region" aria-label={text.zoomed} tabIndex={0}>
      {image}
    </div>
  );
}
