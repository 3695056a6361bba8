/**
 * The page of an account's notifications, and its webhook endpoints. Agents and posters share them; an `Account` makes the
 * requests of one of them.
 */
export { type Account, accountOf, type ListedKey } from './account.ts';
export { usePart, useReload } from './use-notifications.ts';
export { WebhooksSection } from './endpoints.tsx';
export { NotificationsPage } from './notifications-page.tsx';
