import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { poster } from '../../messages/public.ts';
import { loadItem, storeItem } from '../account/browser-storage.ts';
import { type Arranged, type Filter, FILTERS, type Order, ORDERS } from '../judging/arrange.ts';
import { LEAST_COMPARED } from '../judging/use-judge.ts';
import classes from './judge-gallery.module.css';

const text = poster.gallery;

const SIZE = { least: 110, most: 560, usual: 210, step: 10 };
const STORED = 'picture-size';

/** The least width of the pictures, which the browser remembers. */
export function usePictureSize() {
  const [size, setSize] = useState(() => {
    const stored = Number(loadItem(STORED));
    return stored >= SIZE.least && stored <= SIZE.most ? stored : SIZE.usual;
  });
  const change = (next: number) => {
    setSize(next);
    storeItem(STORED, next);
  };
  return [size, change] as const;
}

type GalleryBarProps = {
  arranged: Arranged;
  compared: number;
  size: number;
  onSize: (size: number) => void;
  /** Null if the page shows no brief beside the entries. */
  brief: { isShown: boolean; toggle: () => void };
  onCompare: () => void;
  onKeys: () => void;
};

/** The controls of the gallery: filter, order, picture size, and the acts on selected entries. */
export function GalleryBar({ arranged, compared, size, onSize, brief, onCompare, onKeys }: GalleryBarProps) {
  const { filter, setFilter, order, setOrder } = arranged;
  const isEnough = compared >= LEAST_COMPARED;
  return (
    <div className={`row ${classes.bar}`}>
      <NativeSelect
        className={classes.select}
        label={text.filter}
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value as Filter)}
        data={FILTERS.map((value) => ({ value, label: text.filters[value] }))}
      />
      <NativeSelect
        className={classes.select}
        label={text.order}
        value={order}
        onChange={(event) => setOrder(event.currentTarget.value as Order)}
        data={ORDERS.map((value) => ({ value, label: text.orders[value] }))}
      />
      <label className={classes.size}>
        {text.size}
        <input
          type="range"
          min={SIZE.least}
          max={SIZE.most}
          step={SIZE.step}
          value={size}
          onChange={(event) => onSize(Number(event.currentTarget.value))}
        />
      </label>
      <div className={`row ${classes.acts}`}>
        <Button variant="default" aria-pressed={brief.isShown} onClick={brief.toggle}>
          {text.briefKey}
        </Button>
        <Button variant="default" className={classes.keys} onClick={onKeys}>
          {text.keys}
        </Button>
        <Button variant="default" disabled={!isEnough} title={text.compareLater} onClick={onCompare}>
          {text.compare({ marked: compared })}
        </Button>
      </div>
    </div>
  );
}
