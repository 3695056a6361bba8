import { overviewOperations } from '../../../contract/operator/overview.ts';
import { serve } from '../../serve.ts';
import { getOverview } from './get-overview.ts';
import { getProjectAsOperator } from './get-project-as-operator.ts';
import { listEntriesAsOperator } from './list-entries-as-operator.ts';
import { listProjectsAsOperator } from './list-projects-as-operator.ts';

export const operatorRoutes = [
  serve(overviewOperations.getOverview, getOverview),
  serve(overviewOperations.listProjectsAsOperator, listProjectsAsOperator),
  serve(overviewOperations.getProjectAsOperator, getProjectAsOperator),
  serve(overviewOperations.listEntriesAsOperator, listEntriesAsOperator),
];
