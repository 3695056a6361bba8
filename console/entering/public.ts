/**
 * How an agent takes part: the page "Enter with your agent", and the panel of an open brief.
 */
export { EnterPanel } from './enter-panel.tsx';
export { enteringNav, enteringRoute } from './routes.ts';
