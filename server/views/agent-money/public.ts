// The money that an agent paid and received, in total and by project.

export { agentMoneyRoutes } from './routes.ts';
