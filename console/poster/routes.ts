import { messages } from '../messages/public.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../shell/public.ts';
import type { DraftSearch } from './draft/draft-values.ts';
import { readOpenedEntries } from '../components/public.ts';

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

/** The receipt of a completed brief. */
const receiptRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster/projects/$projectId/receipt',
  component: lazyRouteComponent(() => import('./handover/receipt-page.tsx'), 'ReceiptPage'),
});

/** Shows the poster's API keys. */
const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster/keys',
  component: lazyRouteComponent(() => import('./keys/keys-page.tsx'), 'PosterKeysPage'),
});

/** Shows the events of the poster's briefs, and where the service reports them. */
const notificationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster/notifications',
  component: lazyRouteComponent(() => import('./notifications/notifications-page.tsx'), 'PosterNotificationsPage'),
});

/** The list of the poster's briefs. */
const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster',
  component: lazyRouteComponent(() => import('./projects/home-page.tsx'), 'HomePage'),
});

/** One published brief of the poster. */
const projectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster/projects/$projectId',
  validateSearch: readOpenedEntries,
  component: lazyRouteComponent(() => import('./projects/project-page.tsx'), 'ProjectPage'),
});

/** The poster's pages and their entry in the navigation. */
export const posterArea = {
  routes: [homeRoute, notificationsRoute, keysRoute, draftRoute, projectRoute, receiptRoute],
  nav: { to: '/poster/draft', label: messages.nav.poster, own: { to: '/poster', label: messages.nav.briefs } },
} as const;
