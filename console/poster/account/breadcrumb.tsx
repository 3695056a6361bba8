import { Link } from '@tanstack/react-router';
import { poster } from '../../messages/public.ts';
import classes from './breadcrumb.module.css';

/** A link back to the list, for the line above a heading. */
export function Breadcrumb() {
  return (
    <Link to="/poster" className={classes.crumb}>
      {poster.home.title}
    </Link>
  );
}
