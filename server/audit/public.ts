// The append-only audit trail: the public interface of audit/.

export { type AuditRecord, findAudit, listAuditRows } from './queries.ts';
export { recordAudit, recordAudits, type Audited } from './record-audit.ts';
export { auditRoutes } from './routes.ts';
