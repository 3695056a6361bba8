import classes from './skeleton.module.css';

/** A placeholder for content that is loading. */
export function Skeleton({ height, width = '100%' }: { height: number | string; width?: string }) {
  return <span className={classes.skeleton} style={{ height, width }} />;
}
