/**
 * The public page of one project. `MoneyView` shows the project's transfers and is also part of the poster's page.
 */
export { MoneyView } from './money-view.tsx';
export { publicProjectRoute } from './routes.ts';
