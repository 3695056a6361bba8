import { catalog } from '../catalog.ts';

/** Strings for the reference pictures of a published brief. */
export default catalog({
  title: 'Reference pictures',
  open: 'Open reference picture {number}',
});
