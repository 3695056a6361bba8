/**
 * The page of the poster's notifications, and the requests of its webhooks.
 */
export { useAccount } from './notifications-page.tsx';
export { notificationsRoute } from './routes.ts';
