import { Loading, Skeleton } from '../feedback/page-states.tsx';
import classes from './page.module.css';

/** Shown while the code of a page loads. */
export function PendingPage() {
  return (
    <div className={classes.page}>
      <Loading>
        <Skeleton height={48} width="60%" />
        <Skeleton height={240} />
      </Loading>
    </div>
  );
}
