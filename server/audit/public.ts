// The append-only audit trail: the public interface of audit/.

export { type AuditRecord, findAudit, listAuditRows } from './queries.ts';
export { actorOf, recordAudit, recordAudits, type Audited, type CommandCaller } from './record-audit.ts';
