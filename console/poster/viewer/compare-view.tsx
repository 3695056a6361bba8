import { useModal, IconButton, ItemStrip } from '../../components/public.ts';
import { ArrowRightLeft, Keyboard, Maximize, X, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { sameOriginPath } from '../../api/public.ts';
import { pictureFacts } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import type { Entry } from '../judging/entry-requests.ts';
import { type Judge, LEAST_COMPARED } from '../judging/use-judge.ts';
import classes from './compare.module.css';
import { EntryActs } from './entry-acts.tsx';
import { ReviewForm } from './review-form.tsx';
import { actKeysOf, actOnKey, type Shortcuts } from './shortcuts.ts';
import { useSharedZoom } from './shared-zoom.ts';
import viewer from './viewer.module.css';

const text = poster.compare;
const STEP = 1.4;
const PAN = 10;

type CompareViewProps = {
  entries: Entry[];
  judge: Judge;
  /** Shows these entries instead, in this order. */
  onChange: (ids: string[]) => void;
  onKeys: () => void;
  onClose: () => void;
};

/**
 * Two to four entries with one zoom. Keys act on the entry that has the focus, or on the first. Each side shows any
 * picture of its entry.
 */
export function CompareView({ entries, judge, onChange, onKeys, onClose }: CompareViewProps) {
  const dialog = useModal();
  const zoom = useSharedZoom();
  const ids = entries.map(({ id }) => id);
  const swap = (place: number) => onChange(swapped(ids, place));
  const keys = (place: number, entry: Entry, { shiftKey }: KeyboardEvent): Shortcuts => ({
    ...(shiftKey ? pansOf(zoom) : {}),
    ...zoomsOf(zoom),
    ...actKeysOf(judge, entry),
    x: () => swap(place),
    f: () => dialog.current?.querySelector<HTMLElement>(`[data-side="${entry.id}"] textarea`)?.focus(),
    '?': onKeys,
  });

  function onKey(event: KeyboardEvent) {
    const side = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-side]') : null;
    const place = Math.max(0, ids.indexOf(side?.dataset['side'] ?? ''));
    const entry = entries[place];
    if (entry) actOnKey(event, keys(place, entry, event));
  }

  return (
    <dialog ref={dialog} className="whole" tabIndex={-1} aria-label={text.title} onClose={onClose} onKeyDown={onKey}>
      <Top zoom={zoom} onKeys={onKeys} onClose={onClose} />
      {entries.length < LEAST_COMPARED ? <p className="soft">{text.tooFew}</p> : null}
      <div
        ref={zoom.frame}
        className={classes.sides}
        data-count={entries.length}
        data-zoomed={zoom.percent > 100}
        {...zoom.pointers}
      >
        {entries.map((entry, index) => (
          <Side
            key={entry.id}
            entry={entry}
            place={index + 1}
            judge={judge}
            onSwap={() => swap(index)}
            onRemove={entries.length > LEAST_COMPARED ? () => onChange(ids.filter((id) => id !== entry.id)) : null}
          />
        ))}
      </div>
    </dialog>
  );
}

type SharedZoom = ReturnType<typeof useSharedZoom>;

const pansOf = ({ move }: SharedZoom): Shortcuts => ({
  arrowleft: () => move(PAN, 0),
  arrowright: () => move(-PAN, 0),
  arrowup: () => move(0, PAN),
  arrowdown: () => move(0, -PAN),
});

const zoomsOf = ({ by, fit }: SharedZoom): Shortcuts => ({
  '+': () => by(STEP),
  '=': () => by(STEP),
  '-': () => by(1 / STEP),
  '0': fit,
});

type TopProps = { zoom: SharedZoom; onKeys: () => void; onClose: () => void };

function Top({ zoom, onKeys, onClose }: TopProps) {
  return (
    <div className={`row ${viewer.top}`}>
      <h2 className={viewer.title}>{text.title}</h2>
      <span className={classes.percent} aria-live="polite">
        {text.zoom({ percent: zoom.percent })}
      </span>
      <div className={`row ${viewer.tools}`}>
        <IconButton label={text.zoomOut} disabled={zoom.percent === 100} onClick={() => zoom.by(1 / STEP)}>
          <ZoomOut size={20} />
        </IconButton>
        <IconButton label={text.zoomIn} onClick={() => zoom.by(STEP)}>
          <ZoomIn size={20} />
        </IconButton>
        <IconButton label={text.reset} disabled={zoom.percent === 100} onClick={zoom.fit}>
          <Maximize size={20} />
        </IconButton>
        <IconButton label={poster.gallery.keys} onClick={onKeys}>
          <Keyboard size={20} />
        </IconButton>
      </div>
      <IconButton label={poster.viewer.close} onClick={onClose}>
        <X size={20} />
      </IconButton>
    </div>
  );
}

/** Exchanges an entry with the next one; the last with the first. */
function swapped(ids: string[], place: number): string[] {
  const next = (place + 1) % ids.length;
  return ids.map((id, index) => (index === place ? (ids[next] ?? id) : index === next ? (ids[place] ?? id) : id));
}

type SideProps = { entry: Entry; place: number; judge: Judge; onSwap: () => void; onRemove: (() => void) | null };

function Side({ entry, place, judge, onSwap, onRemove }: SideProps) {
  return (
    <section
      className={`stack ${classes.side}`}
      data-side={entry.id}
      aria-label={text.entry({ place, title: entry.title })}
    >
      <Pictures entry={entry} place={place} />
      <div className={`row ${classes.head}`}>
        <p>
          <strong>{entry.title}</strong>{' '}
          <span className="soft">
            {entry.agent.name} · {pictureFacts(entry)}
          </span>
        </p>
        <IconButton label={text.swap({ place })} onClick={onSwap}>
          <ArrowRightLeft size={18} />
        </IconButton>
        {onRemove ? (
          <IconButton label={text.remove({ place })} onClick={onRemove}>
            <X size={18} />
          </IconButton>
        ) : null}
      </div>
      <EntryActs entry={entry} judge={judge} isCompared />
      <ReviewForm entry={entry} judge={judge} isCompact />
    </section>
  );
}

/** One picture of an entry, which the shared zoom moves, and a strip with the others. */
function Pictures({ entry, place }: { entry: Entry; place: number }) {
  const [shown, setShown] = useState(0);
  const { items, title, agent } = entry;
  const { image_url: url, width, height } = items[shown] ?? entry;
  return (
    <>
      <div className={classes.pane} data-pane={place}>
        <img
          src={sameOriginPath(url)}
          alt={poster.viewer.picture({ title, agent: agent.name })}
          width={width}
          height={height}
          draggable={false}
        />
      </div>
      <ItemStrip
        items={items}
        shown={shown}
        label={poster.gallery.items({ amount: items.length })}
        labelOf={(item) => poster.viewer.item({ item, all: items.length })}
        onShow={setShown}
      />
    </>
  );
}
