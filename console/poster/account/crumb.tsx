import { Link } from '@tanstack/react-router';
import { poster } from '../../messages/public.ts';
import classes from './crumb.module.css';

/** Back to the list, above a heading. */
export function Crumb() {
  return (
    <Link to="/poster" className={classes.crumb}>
      {poster.home.title}
    </Link>
  );
}
