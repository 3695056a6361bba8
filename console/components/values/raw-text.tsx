import classes from './raw-text.module.css';

/** Untrusted text, shown unchanged in a box of limited size. */
export function RawText({ children }: { children: string }) {
  // A keyboard can scroll only what it can focus.
  return (
    <pre className={classes.raw} tabIndex={0}>
      {children}
    </pre>
  );
}
