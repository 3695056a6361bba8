// What audit/ offers to other folders; everything else in it is private.

export { linesOf } from './lines-of.ts';
export { recordAudit, recordAudits, type Audited } from './record-audit.ts';
export { auditRoutes } from './routes.ts';
