// The operator's reads: the overview, projects, posters, money, the audit trail, and the search over all of it.

import { auditRoutes } from './audit/public.ts';
import { operatorMoneyRoutes } from './money/public.ts';
import { operatorRoutes } from './operator/public.ts';
import { operatorPosterRoutes } from './posters/public.ts';
import { operatorSearchRoutes } from './search/public.ts';

export const operatorViewRoutes = [
  ...operatorRoutes,
  ...operatorPosterRoutes,
  ...operatorMoneyRoutes,
  ...operatorSearchRoutes,
  ...auditRoutes,
];
