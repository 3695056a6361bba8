/**
 * The page of the money that the agent paid and received, and of the caps on its entry fees.
 */
export { moneyRoutes } from './routes.ts';
