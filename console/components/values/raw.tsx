import classes from './raw.module.css';

/** Untrusted text, shown unchanged in a box of limited size. */
export function Raw({ children }: { children: string }) {
  return <pre className={classes.raw}>{children}</pre>;
}
