import { readOpenedEntries } from '../components/public.ts';
import { messages } from '../messages/public.ts';
import { pageRoute, signedInRoute } from '../shell/public.ts';
import type { DraftSearch } from './draft/draft-values.ts';

/**
 * The form of a draft. `copy` is the project that a new draft duplicates. The first save adds the draft's id to the
 * URL; the page stays mounted and keeps the focus. `step` shows the review before the payment. `brief` has the texts of a
 * visitor, so that a link opens them in another browser, such as that of a wallet app.
 */
const readDraft = (search: Record<string, unknown>): DraftSearch => ({
  ...(typeof search['id'] === 'string' ? { id: search['id'] } : {}),
  ...(typeof search['copy'] === 'string' ? { copy: search['copy'] } : {}),
  ...(search['step'] === 'review' ? { step: 'review' } : {}),
  ...(typeof search['brief'] === 'object' && search['brief'] !== null ? { brief: search['brief'] } : {}),
});

const area = pageRoute(signedInRoute, '/poster', () => import('./account/poster-area.tsx'), 'PosterArea');
const draft = () => import('./draft/draft-page.tsx');
const notifications = () => import('./notifications/notifications-page.tsx');
const project = () => import('./projects/project-page.tsx');
const receipt = () => import('./handover/receipt-page.tsx');

const pages = [
  pageRoute(area, '/', () => import('./projects/home-page.tsx'), 'HomePage'),
  pageRoute(area, '/notifications', notifications, 'PosterNotificationsPage'),
  pageRoute(area, '/keys', () => import('./keys/keys-page.tsx'), 'PosterKeysPage'),
  pageRoute(area, '/projects/$projectId', project, 'ProjectPage', readOpenedEntries),
  pageRoute(area, '/projects/$projectId/receipt', receipt, 'ReceiptPage'),
];

/** The poster's pages and their entry in the navigation. Visitors write a draft, so it is outside the area. */
export const posterArea = {
  routes: [area.addChildren(pages), pageRoute(signedInRoute, '/poster/draft', draft, 'DraftPage', readDraft)],
  nav: { to: '/poster/draft', label: messages.nav.poster, own: { to: '/poster', label: messages.nav.briefs } },
} as const;
