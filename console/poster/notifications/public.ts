/**
 * The page of the poster's notifications.
 */
export { notificationsRoute } from './routes.ts';
