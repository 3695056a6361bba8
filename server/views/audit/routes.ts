import { auditOperations } from '../../../contract/operator/audit.ts';
import { serve } from '../../serve.ts';
import { listAudit } from './list-audit.ts';

export const auditRoutes = [serve(auditOperations.listAudit, listAudit)];
