import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../shell/public.ts';

/**
 * The form of a draft. `copy` is the project that a new draft duplicates. The first save adds the draft's id to the
 * URL; the page stays mounted and keeps the focus.
 */
export const draftRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster/draft',
  validateSearch: (search): { id?: string; copy?: string } => ({
    ...(typeof search['id'] === 'string' ? { id: search['id'] } : {}),
    ...(typeof search['copy'] === 'string' ? { copy: search['copy'] } : {}),
  }),
  component: lazyRouteComponent(() => import('./draft-page.tsx'), 'DraftPage'),
});
