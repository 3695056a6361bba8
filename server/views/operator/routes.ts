import { agentEntryOperations } from '../../../contract/operator/agent-entries.ts';
import { businessOperations } from '../../../contract/operator/business.ts';
import { overviewOperations } from '../../../contract/operator/overview.ts';
import { serve } from '../../serve.ts';
import { listAgentEntries } from './agent-entries.ts';
import { getBusiness } from './get-business.ts';
import { getOverview } from './get-overview.ts';
import { getProjectAsOperator } from './get-project-as-operator.ts';
import { listEntriesAsOperator } from './list-entries-as-operator.ts';
import { listProjectsAsOperator } from './list-projects-as-operator.ts';

export const operatorRoutes = [
  serve(overviewOperations.getOverview, getOverview),
  serve(businessOperations.getBusiness, getBusiness),
  serve(agentEntryOperations.listAgentEntries, listAgentEntries),
  serve(overviewOperations.listProjectsAsOperator, listProjectsAsOperator),
  serve(overviewOperations.getProjectAsOperator, getProjectAsOperator),
  serve(overviewOperations.listEntriesAsOperator, listEntriesAsOperator),
];
