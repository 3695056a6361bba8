import classes from './skeleton.module.css';

/** The place of something that is loading. */
export function Skeleton({ height, width = '100%' }: { height: number | string; width?: string }) {
  return <span className={classes.skeleton} style={{ height, width }} />;
}
