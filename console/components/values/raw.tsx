import classes from './raw.module.css';

/** What came from somewhere else, letter by letter, in a place of bounded size. */
export function Raw({ children }: { children: string }) {
  return <pre className={classes.raw}>{children}</pre>;
}
