import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../shell/public.ts';
import type { DraftSearch } from './draft-values.ts';

/**
 * The form of a draft. `copy` is the project that a new draft duplicates. The first save adds the draft's id to the
 * URL; the page stays mounted and keeps the focus. `step` shows the review before the payment. `brief` has the texts of a
 * visitor, so that a link opens them in another browser, such as that of a wallet app.
 */
export const draftRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster/draft',
  validateSearch: (search): DraftSearch => ({
    ...(typeof search['id'] === 'string' ? { id: search['id'] } : {}),
    ...(typeof search['copy'] === 'string' ? { copy: search['copy'] } : {}),
    ...(search['step'] === 'review' ? { step: 'review' } : {}),
    ...(typeof search['brief'] === 'object' && search['brief'] !== null ? { brief: search['brief'] } : {}),
  }),
  component: lazyRouteComponent(() => import('./draft-page.tsx'), 'DraftPage'),
});
