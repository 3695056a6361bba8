import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../shell/public.ts';

/** The form of a draft. The first save adds the draft's id to the URL; the page stays mounted and keeps the focus. */
export const draftRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster/draft',
  validateSearch: (search): { id?: string } => (typeof search['id'] === 'string' ? { id: search['id'] } : {}),
  component: lazyRouteComponent(() => import('./draft-page.tsx'), 'DraftPage'),
});
