import { emailOperations } from '../../../contract/operator/emails.ts';
import { findOperations } from '../../../contract/operator/find.ts';
import { overviewOperations } from '../../../contract/operator/overview.ts';
import { operatorProjectOperations } from '../../../contract/operator/projects.ts';
import { serve } from '../../serve.ts';
import { findAsOperator } from './find.ts';
import { getOverview } from './get-overview.ts';
import { listEmails } from './list-emails.ts';
import { listEntriesAsOperator } from './list-entries.ts';
import { getProjectAsOperator, listProjectsAsOperator } from './projects.ts';

export const operatorRoutes = [
  serve(overviewOperations.getOverview, getOverview),
  serve(findOperations.findAsOperator, findAsOperator),
  serve(operatorProjectOperations.listProjectsAsOperator, listProjectsAsOperator),
  serve(operatorProjectOperations.getProjectAsOperator, getProjectAsOperator),
  serve(operatorProjectOperations.listEntriesAsOperator, listEntriesAsOperator),
  serve(emailOperations.listEmails, listEmails),
];
