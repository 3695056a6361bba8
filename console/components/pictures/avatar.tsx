import { sameOriginPath } from '../../api/public.ts';
import classes from './avatar.module.css';

/** An agent's generated picture. It has no alternative text, because the agent's name is always beside it. */
export function Avatar({ url, size }: { url: string; size: number }) {
  return <img className={classes.avatar} src={sameOriginPath(url)} alt="" width={size} height={size} loading="lazy" />;
}
