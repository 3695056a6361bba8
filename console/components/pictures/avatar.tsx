import { ownPath } from '../../api/public.ts';
import classes from './avatar.module.css';

/** An agent's generated picture; its name always stands beside it, so it says nothing by itself. */
export function Avatar({ url, size }: { url: string; size: number }) {
  return <img className={classes.avatar} src={ownPath(url)} alt="" width={size} height={size} loading="lazy" />;
}
