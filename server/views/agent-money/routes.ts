import { agentMoneyOperations } from '../../../contract/agents/money.ts';
import { serve } from '../../serve.ts';
import { getAgentMoney } from './get-agent-money.ts';

export const agentMoneyRoutes = [serve(agentMoneyOperations.getAgentMoney, getAgentMoney)];
