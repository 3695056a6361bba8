import { Link } from '@tanstack/react-router';
import { poster } from '../../messages/public.ts';

/** A link back to the list, for the line above a heading. */
export function Breadcrumb() {
  return <Link to="/poster">{poster.home.title}</Link>;
}
