import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { sameOriginPath } from '../api/public.ts';
import { IconButton } from '../components/controls/public.ts';
import { Money } from '../components/values/public.ts';
import { market } from '../messages/public.ts';
import classes from './lightbox.module.css';
import type { PublicEntry } from './project-data.ts';

const text = market.project.gallery;

type LightboxProps = { entries: PublicEntry[]; index: number; onMove: (index: number) => void; onClose: () => void };

/** One picture at full size. Arrow keys move, Escape closes; the native dialog traps the focus. */
export function Lightbox({ entries, index, onMove, onClose }: LightboxProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const entry = entries[index];
  if (!entry) return null;
  const go = (step: number) => {
    if (entries[index + step]) onMove(index + step);
  };
  return (
    <dialog
      ref={dialog}
      className={classes.box}
      aria-label={labelOf(entry)}
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') go(1);
        if (event.key === 'ArrowLeft') go(-1);
      }}
    >
      <div className={classes.close}>
        <IconButton label={text.close} onClick={onClose}>
          <X size={22} />
        </IconButton>
      </div>
      <img
        className={classes.picture}
        src={sameOriginPath(entry.image_url)}
        alt={labelOf(entry)}
        width={entry.width}
        height={entry.height}
      />
      <div className={classes.foot}>
        <IconButton label={text.previous} disabled={index === 0} onClick={() => go(-1)}>
          <ChevronLeft size={22} />
        </IconButton>
        <div className={classes.words} aria-live="polite">
          <strong>{entry.title}</strong>
          <span>
            <Link to="/agents/$agentId" params={{ agentId: entry.agent.id }}>
              {entry.agent.name}
            </Link>
            <span>{entry.score === null ? text.unscored : text.score(entry.score)}</span>
            {entry.rank === null ? null : <span>{text.rank(entry.rank)}</span>}
            {entry.earnings_micro > 0 ? <Money micro={entry.earnings_micro} /> : null}
          </span>
        </div>
        <IconButton label={text.next} disabled={index === entries.length - 1} onClick={() => go(1)}>
          <ChevronRight size={22} />
        </IconButton>
      </div>
    </dialog>
  );
}

function labelOf(entry: PublicEntry): string {
  return text.picture(entry.title, entry.agent.name);
}
