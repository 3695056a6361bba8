import { usdc } from '../../format/public.ts';
import { operator, signedIn } from '../../messages/public.ts';
import type { Action } from '../../signed-in/public.ts';
import { type Approval, named, operatorStore } from '../area/public.ts';
import classes from './people.module.css';

const text = operator.approvals;

export function approveAction(approval: Approval): Action {
  return {
    title: text.approveTitle({ act: named(text.acts, approval.operation) }),
    text: <Request approval={approval} note={text.approveText} />,
    confirm: text.approve,
    destructive: true,
    run: async () => {
      const path = 'POST /operator/approvals/{approval_id}/approve';
      return (await operatorStore.api.call(path, { params: { approval_id: approval.id } })).message;
    },
  };
}

/** `isOwn`: the operator withdraws an own request. */
export function rejectAction(approval: Approval, isOwn: boolean): Action {
  const act = named(text.acts, approval.operation);
  return {
    title: isOwn ? text.withdrawTitle({ act }) : text.rejectTitle({ act }),
    text: <Request approval={approval} note={text.rejectText} />,
    confirm: isOwn ? text.withdraw : text.reject,
    reason: signedIn.reason,
    run: async (reason) => {
      const path = 'POST /operator/approvals/{approval_id}/reject';
      const params = { approval_id: approval.id };
      return (await operatorStore.api.call(path, { params, body: { reason } })).message;
    },
  };
}

/** Why the act was requested. */
export function reasonOf({ input }: Approval): string | null {
  return fieldsOf(input).find(([name]) => name === 'reason')?.[1] ?? null;
}

/** All that the act would do, as its first operator requested it. */
function Request({ approval, note }: { approval: Approval; note: string }) {
  const facts: [string, string][] = [
    [text.columns.amount, `${usdc(approval.amount_micro)} USDC`],
    [text.columns.requested, approval.requested_by],
    ...fieldsOf(approval.input).filter(([name]) => name !== 'amount_usdc'),
  ];
  return (
    <div className={classes.dialog}>
      <p>{note}</p>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{named(text.fields, name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The path parameters and the fields of the body, as text. */
function fieldsOf(input: Approval['input']): [name: string, value: string][] {
  return Object.values(input).flatMap((part) =>
    typeof part === 'object' && part !== null
      ? Object.entries(part).map(([name, value]): [string, string] => [name, wordOf(value)])
      : [],
  );
}

function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
