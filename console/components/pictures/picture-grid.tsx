import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { Images } from 'lucide-react';
import { type ComponentPropsWithoutRef, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { sameOriginPath } from '../../api/public.ts';
import classes from './picture-grid.module.css';

const GAP = 16;
/** Height of the three lines below a picture: two of the title, and one of the caption. */
const CAPTION = 80;
const LEAST_WIDTH = 170;
// Rendered rows outside the window, so scrolling shows pictures at once.
const OVERSCAN = 3;

/**
 * Layout of a virtualized picture grid: only the rows near the window are in the page.
 *
 * @param leastWidth of a picture; without it, at least two pictures are in a row
 */
export function usePictureGrid(total: number, leastWidth: number | null = null) {
  const frame = useRef<HTMLUListElement>(null);
  const { width, top } = usePlace(frame);
  const fitting = Math.floor((width + GAP) / ((leastWidth ?? LEAST_WIDTH) + GAP));
  const columns = Math.max(leastWidth === null ? 2 : 1, fitting);
  const size = Math.floor((width - GAP * (columns - 1)) / columns);
  const rows = useWindowVirtualizer({
    count: width === 0 ? 0 : Math.ceil(total / columns),
    estimateSize: () => size + CAPTION + GAP,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  useEffect(() => rows.measure(), [rows, size]);
  const shown = rows.getVirtualItems().map(({ index, start }) => ({ row: index, start: start - top }));
  return {
    frame,
    total,
    columns,
    size,
    shown,
    height: rows.getTotalSize(),
    /** Index after the last rendered picture. */
    end: ((shown.at(-1)?.row ?? 0) + 1) * columns,
    reveal: (index: number) => rows.scrollToIndex(Math.floor(index / columns), { align: 'auto' }),
  };
}

type PictureGridProps = {
  grid: ReturnType<typeof usePictureGrid>;
  keyOf: (index: number) => string | number;
  /** Returns null for pictures that are not loaded; the grid keeps their space. */
  children: (index: number) => ReactNode;
};

export function PictureGrid({ grid, keyOf, children }: PictureGridProps) {
  const { frame, total, columns, size, shown, height } = grid;
  return (
    <ul ref={frame} className={classes.grid} style={{ height }}>
      {shown.flatMap(({ row, start }) =>
        Array.from({ length: Math.min(columns, total - row * columns) }, (_, column) => {
          const index = row * columns + column;
          const transform = `translate(${column * (size + GAP)}px, ${start}px)`;
          return (
            <li
              key={keyOf(index)}
              className={classes.cell}
              aria-setsize={total}
              aria-posinset={index + 1}
              style={{ width: size, height: size + CAPTION, transform }}
            >
              {children(index)}
            </li>
          );
        }),
      )}
    </ul>
  );
}

type GridPictureProps = Omit<ComponentPropsWithoutRef<'button'>, 'type' | 'className' | 'title'> & {
  size: number;
  url: string;
  title: string;
  caption: string;
  isWinner: boolean;
  isDisqualified?: boolean;
  /** Shows the whole picture instead of a square part of it. */
  isWhole?: boolean;
  /** Says how many pictures the entry has, if it has several. */
  countLabel?: string | undefined;
  /** Shown over the picture. */
  badges?: ReactNode;
};

/** One picture of the grid, as a button. Other props go to the button element. */
export function GridPicture({
  size,
  url,
  title,
  caption,
  isWinner,
  isDisqualified,
  isWhole,
  countLabel,
  badges,
  children,
  ...rest
}: GridPictureProps) {
  return (
    <button type="button" className={classes.picture} {...rest}>
      <span
        className={classes.frame}
        style={{ height: size }}
        data-won={isWinner}
        data-out={isDisqualified}
        data-whole={isWhole}
      >
        <img src={sameOriginPath(url)} alt="" width={size} height={size} decoding="async" />
        {badges}
        {countLabel ? (
          <span className={classes.count}>
            <Images size={14} aria-hidden="true" />
            {countLabel}
          </span>
        ) : null}
      </span>
      <span className={`two-lines ${classes.title}`}>{title}</span>
      <span className={`one-line ${classes.caption}`}>{caption}</span>
      {children}
    </button>
  );
}

/** Measures the grid's width and its distance from the top of the document. */
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
