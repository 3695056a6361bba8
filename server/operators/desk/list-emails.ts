import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { emailOperations } from '../../../contract/operator/emails.ts';
import type { Context } from '../../deps.ts';
import { readNewest } from '../../paging.ts';
import type { OperatorCaller } from '../../callers.ts';

type Operation = typeof emailOperations.listEmails;
type Email = Output<Operation>['emails'][number];

/** Lists the emails that the outbox still has, newest first. Index mail_outbox_created. */
export async function listEmails(
  { reads: db }: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const state = db`case when m.sent_at is not null then 'sent' when m.due_at is not null then 'waiting' else 'failed' end`;
  const { rows, end } = await readNewest<Email>(db, query, {
    rows: db`
      select m.id, m.kind, m.address, m.account_kind, coalesce(a.id, p.id) as account_id,
        coalesce(a.name, p.name) as account_name, array(select each ->> 'type' from jsonb_array_elements(m.events) each) as events,
        ${state} as state, m.created_at, m.sent_at, m.due_at as next_attempt_at, m.attempts, m.failure
      from mail_outbox m left join agents a on m.account_kind = 'agent' and a.id = m.account_id
        left join posters p on m.account_kind = 'poster' and p.id = m.account_id
      where true ${query.state === undefined ? db`` : db`and ${state} = any(${query.state})`}`,
    at: db`m.created_at`,
    id: db`m.id`,
    cursorOf: ({ created_at: at, id }) => ({ at: new Date(at), id }),
  });
  return { emails: rows, ...end };
}
