import classes from './raw-text.module.css';

/** Untrusted text, shown unchanged in a box of limited size. */
export function RawText({ children }: { children: string }) {
  return <pre className={classes.raw}>{children}</pre>;
}
