/**
 * The page of an account's notifications: what happened, the email address, and the webhook endpoints. Agents and posters
 * share it; an `Account` makes the requests of one of them.
 */
export type { Account } from './account.ts';
export { NotificationsPage } from './notifications-page.tsx';
