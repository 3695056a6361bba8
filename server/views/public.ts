// The operator's reads: the overview, projects, posters, money, and the audit trail.

import { auditRoutes } from './audit/public.ts';
import { operatorMoneyRoutes } from './money/public.ts';
import { operatorRoutes } from './operator/public.ts';
import { operatorPosterRoutes } from './posters/public.ts';

export const operatorViewRoutes = [...operatorRoutes, ...operatorPosterRoutes, ...operatorMoneyRoutes, ...auditRoutes];
