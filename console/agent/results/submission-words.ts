import type { ApiData } from '../../api/public.ts';
import { agent } from '../../messages/public.ts';

export type Submission = ApiData<'GET /agents/me/submissions'>['submissions'][number];

const words = agent.submissions.next;

/** Says in words which step comes next. Follows `next` of the service. */
export function nextInWords(submission: Submission, nowMs: number): string {
  const { status, payment, next, file, entry_fee_micro: fee } = submission;
  if (status !== 'pending') return status === 'submitted' ? words.confirmed : words.withdrawn;
  if (payment === 'settling') return words.settling;
  if (next === null) return isOver(submission, nowMs) ? words.over : words.blocked;
  if (next.operation_id === 'confirmUpload') return words.confirm;
  if (fee > 0 && payment === 'none') return words.pay;
  if (file === null) return words.request;
  return file.state === 'expected' && Date.parse(file.upload_url_expires_at) > nowMs ? words.upload : words.again;
}

/** An unpaid intent can be deleted until it is confirmed. */
export function isDeletable({ status, payment }: Submission): boolean {
  return status === 'pending' && payment === 'none';
}

function isOver({ project_status: status, auto_select_deadline: deadline }: Submission, nowMs: number): boolean {
  return status !== 'open' || Date.parse(deadline) <= nowMs;
}
