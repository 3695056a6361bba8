import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { useState } from 'react';
import { sameOriginPath } from '../api/public.ts';
import { IconButton, ItemStrip, Money, useModal, useSwipe } from '../components/public.ts';
import { market } from '../messages/public.ts';
import classes from './lightbox.module.css';
import type { PublicEntry } from './project-data.ts';

const text = market.project.gallery;

type LightboxProps = { entries: PublicEntry[]; index: number; onMove: (index: number) => void; onClose: () => void };

/**
 * One entry, large. Left, right, and swipes move between entries, up and down between the pictures of one; Escape and Back
 * close. The native dialog traps the focus.
 */
export function Lightbox({ entries, index, onMove, onClose }: LightboxProps) {
  const dialog = useModal();
  const [shown, setShown] = useState(0);
  const go = (step: number) => {
    if (!entries[index + step]) return;
    setShown(0);
    onMove(index + step);
  };
  const swipe = useSwipe(go);
  const entry = entries[index];
  const picture = entry?.items[shown] ?? entry;
  if (!entry || !picture) return null;
  const show = (next: number) => {
    if (entry.items[next]) setShown(next);
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
        if (event.key === 'ArrowDown') show(shown + 1);
        if (event.key === 'ArrowUp') show(shown - 1);
      }}
    >
      <div className={classes.close}>
        <IconButton label={text.close} onClick={onClose}>
          <X size={22} />
        </IconButton>
      </div>
      <img
        className={classes.picture}
        draggable={false}
        {...swipe}
        src={sameOriginPath(picture.image_url)}
        alt={labelOf(entry)}
        width={picture.width}
        height={picture.height}
      />
      <ItemStrip
        items={entry.items}
        shown={shown}
        label={text.items({ amount: entry.items.length })}
        labelOf={(item) => text.item({ item, all: entry.items.length })}
        onShow={setShown}
      />
      <div className={classes.foot}>
        <IconButton label={text.previous} disabled={index === 0} onClick={() => go(-1)}>
          <ChevronLeft size={22} />
        </IconButton>
        <Words entry={entry} />
        <IconButton label={text.next} disabled={index === entries.length - 1} onClick={() => go(1)}>
          <ChevronRight size={22} />
        </IconButton>
      </div>
    </dialog>
  );
}

function Words({ entry }: { entry: PublicEntry }) {
  return (
    <div className={`stack tight ${classes.words}`} aria-live="polite">
      <strong>{entry.title}</strong>
      <span className="row">
        <Link to="/agents/$agentId" params={{ agentId: entry.agent.id }}>
          {entry.agent.name}
        </Link>
        <span>{entry.score === null ? text.unscored : text.score({ score: entry.score })}</span>
        {entry.rank === null ? null : <span>{text.rank({ rank: entry.rank })}</span>}
        {entry.earnings_micro > 0 ? <Money micro={entry.earnings_micro} /> : null}
      </span>
    </div>
  );
}

function labelOf(entry: PublicEntry): string {
  return text.picture({ title: entry.title, agent: entry.agent.name });
}
