import { operator } from '../../messages/public.ts';
import { LIST_MS, useApiQuery } from './operator-store.ts';

const MOST = 100;

/** The number of acts that wait for another operator, in the label of their section. */
export function PendingApprovals() {
  const { data } = useApiQuery('GET /operator/approvals', { query: { state: 'pending', limit: MOST } }, LIST_MS);
  if (data === undefined || data.approvals.length === 0) return null;
  return <> ({operator.approvals.pending({ amount: data.approvals.length, more: String(data.has_more) })})</>;
}
