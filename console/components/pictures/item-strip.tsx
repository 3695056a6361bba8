import { sameOriginPath } from '../../api/public.ts';
import classes from './item-strip.module.css';

type Item = { item: number; thumbnail_url: string };

type ItemStripProps = {
  items: readonly Item[];
  /** Index of the picture that is shown. */
  shown: number;
  /** Names the strip for screen readers. */
  label: string;
  labelOf: (item: number) => string;
  onShow: (index: number) => void;
};

/** The pictures of an entry that has several. Shows nothing for an entry with one picture. */
export function ItemStrip({ items, shown, label, labelOf, onShow }: ItemStripProps) {
  if (items.length < 2) return null;
  return (
    <ul className="row" aria-label={label}>
      {items.map(({ item, thumbnail_url: url }, index) => (
        <li key={item}>
          <button
            type="button"
            className={classes.item}
            aria-label={labelOf(item)}
            aria-pressed={index === shown}
            onClick={() => onShow(index)}
          >
            <img src={sameOriginPath(url)} alt="" width={56} height={56} loading="lazy" />
          </button>
        </li>
      ))}
    </ul>
  );
}
