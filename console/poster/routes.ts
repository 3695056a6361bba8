import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readOpenedEntries } from '../components/public.ts';
import { messages } from '../messages/public.ts';
import { pageRoute, signedInRoute } from '../shell/public.ts';
import type { DraftSearch } from './draft/draft-values.ts';

/**
 * The form of a draft. `copy` is the project that a new draft duplicates. The first save adds the draft's id to the
 * URL; the page stays mounted and keeps the focus. `step` shows the review before the payment. `brief` has the texts of a
 * visitor, so that a link opens them in another browser, such as that of a wallet app.
 */
const draftRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster/draft',
  validateSearch: (search): DraftSearch => ({
    ...(typeof search['id'] === 'string' ? { id: search['id'] } : {}),
    ...(typeof search['copy'] === 'string' ? { copy: search['copy'] } : {}),
    ...(search['step'] === 'review' ? { step: 'review' } : {}),
    ...(typeof search['brief'] === 'object' && search['brief'] !== null ? { brief: search['brief'] } : {}),
  }),
  component: lazyRouteComponent(() => import('./draft/draft-page.tsx'), 'DraftPage'),
});

/** One published brief of the poster. */
const projectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster/projects/$projectId',
  validateSearch: readOpenedEntries,
  component: lazyRouteComponent(() => import('./projects/project-page.tsx'), 'ProjectPage'),
});

const area = signedInRoute;
const receipt = () => import('./handover/receipt-page.tsx');
const notifications = () => import('./notifications/notifications-page.tsx');

/** The poster's pages and their entry in the navigation. */
export const posterArea = {
  routes: [
    pageRoute(area, '/poster', () => import('./projects/home-page.tsx'), 'HomePage'),
    pageRoute(area, '/poster/notifications', notifications, 'PosterNotificationsPage'),
    pageRoute(area, '/poster/keys', () => import('./keys/keys-page.tsx'), 'PosterKeysPage'),
    draftRoute,
    projectRoute,
    pageRoute(area, '/poster/projects/$projectId/receipt', receipt, 'ReceiptPage'),
  ],
  nav: { to: '/poster/draft', label: messages.nav.poster, own: { to: '/poster', label: messages.nav.briefs } },
} as const;
