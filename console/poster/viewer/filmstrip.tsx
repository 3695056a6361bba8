import { useEffect, useRef } from 'react';
import { sameOriginPath } from '../../api/public.ts';
import { poster } from '../../messages/public.ts';
import type { Entry } from '../judging/entry-requests.ts';
import classes from './filmstrip.module.css';

// Entries on each side of the shown one. Further ones are not in the page, so 1,000 entries cost nothing.
const AROUND = 14;

type FilmstripProps = { entries: Entry[]; index: number; onMove: (index: number) => void };

/** The entries around the shown one. Arrow keys move between entries everywhere in the viewer, so it is one tab stop. */
export function Filmstrip({ entries, index, onMove }: FilmstripProps) {
  const current = useRef<HTMLLIElement>(null);
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [index]);
  if (entries.length < 2) return null;
  const first = Math.max(0, index - AROUND);
  return (
    <ul className={classes.film} aria-label={poster.viewer.film}>
      {entries.slice(first, index + AROUND + 1).map((entry, offset) => {
        const place = first + offset;
        const isShown = place === index;
        return (
          <li key={entry.id} ref={isShown ? current : null} aria-setsize={entries.length} aria-posinset={place + 1}>
            <button
              type="button"
              className={classes.frame}
              aria-label={entry.score === null ? entry.title : `${entry.score}/5, ${entry.title}`}
              aria-current={isShown}
              tabIndex={isShown ? 0 : -1}
              data-mark={entry.mark ?? 'none'}
              onClick={() => onMove(place)}
            >
              <img src={sameOriginPath(entry.thumbnail_url)} alt="" width={56} height={56} decoding="async" />
              {entry.score === null ? null : <span aria-hidden="true">{entry.score}</span>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
