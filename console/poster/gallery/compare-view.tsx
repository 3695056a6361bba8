import { X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { sameOriginPath } from '../../api/public.ts';
import { IconButton } from '../../components/controls/public.ts';
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

/** Two entries side by side, or stacked in a narrow window. A number key scores the side with the focus. */
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
            <img
              src={sameOriginPath(entry.image_url)}
              alt={text.picture(entry.title, entry.agent.name)}
              width={entry.width}
              height={entry.height}
            />
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
