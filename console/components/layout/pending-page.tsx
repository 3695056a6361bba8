import { Loading, Skeleton } from '../feedback/public.ts';
import classes from './page.module.css';

/** While the code of a page is on its way. */
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
