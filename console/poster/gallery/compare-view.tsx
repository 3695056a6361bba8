import { X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { sameOriginPath } from '../../api/public.ts';
import { IconButton } from '../../components/controls/public.ts';
import { ItemStrip } from '../../components/pictures/public.ts';
import { poster } from '../../messages/public.ts';
import { useModal } from './entry-viewer.tsx';
import { ScoreInput, scoreOfKey } from './score-input.tsx';
import type { Entry } from './use-entries.ts';
import classes from './viewer.module.css';

const text = poster.viewer;

type CompareViewProps = {
  pair: Entry[];
  canScore: boolean;
  onScore: (entry: Entry, score: number) => void;
  onClose: () => void;
};

/**
 * Two entries side by side, or stacked in a narrow window. A number key scores the side with the focus. Each side shows
 * any picture of its entry.
 */
export function CompareView({ pair, canScore, onScore, onClose }: CompareViewProps) {
  const dialog = useModal();
  const onKey = (event: KeyboardEvent) => {
    const side = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-entry]') : null;
    const entry = pair.find(({ id }) => id === side?.dataset['entry']);
    const score = scoreOfKey(event.key);
    if (!entry || score === null) return;
    event.preventDefault();
    onScore(entry, score);
  };
  return (
    <dialog ref={dialog} className={classes.compare} aria-label={text.compare} onClose={onClose} onKeyDown={onKey}>
      <div className={classes.top}>
        <h2 className={classes.title}>{text.compare}</h2>
        <IconButton label={text.close} onClick={onClose}>
          <X size={20} />
        </IconButton>
      </div>
      <div className={classes.pair}>
        {pair.map((entry, index) => (
          <section key={entry.id} data-entry={entry.id} aria-label={index === 0 ? text.left : text.right}>
            <Pictures entry={entry} />
            <p>
              <strong>{entry.title}</strong> <span className="soft">{entry.agent.name}</span>
            </p>
            <ScoreInput
              name={`score-${entry.id}`}
              score={entry.score}
              disabled={!canScore || entry.disqualified_at !== null}
              onScore={(score) => onScore(entry, score)}
            />
          </section>
        ))}
      </div>
      {canScore ? <p className={classes.keys}>{text.compareKeys}</p> : null}
    </dialog>
  );
}

/** One picture of an entry, and a strip with the others. */
function Pictures({ entry }: { entry: Entry }) {
  const [shown, setShown] = useState(0);
  const { items, title, agent } = entry;
  const { image_url: url, width, height } = items[shown] ?? entry;
  return (
    <>
      <img src={sameOriginPath(url)} alt={text.picture(title, agent.name)} width={width} height={height} />
      <ItemStrip
        items={items}
        shown={shown}
        label={poster.gallery.items(items.length)}
        labelOf={(item) => text.item(item, items.length)}
        onShow={setShown}
      />
    </>
  );
}
