import { Button } from '@mantine/core';
import type { Column } from '../../components/data/public.ts';
import { Page } from '../../components/layout/public.ts';
import { Badge, Money, RelativeTime, type Tone } from '../../components/values/public.ts';
import { usdc } from '../../format/public.ts';
import { operator } from '../../messages/public.ts';
import { useAction } from '../../signed-in/public.ts';
import { type Approval, named, PartyLinks, Subject, useMe, useRefresh } from '../area/public.ts';
import { type Filter, ListTable, MONEY_FILTERS, optionsOf } from '../lists/public.ts';
import { approveAction, rejectAction, reasonOf } from './approval-actions.tsx';
import classes from './people.module.css';

const text = operator.approvals;
const FILTERS: Filter[] = [{ name: 'state', label: text.state, options: optionsOf(text.states) }, ...MONEY_FILTERS];
const TONES: Record<Approval['state'], Tone> = { pending: 'warn', approved: 'good', rejected: 'bad', expired: 'quiet' };

/** How the reader of the page may decide: not at all, as a second person, or by withdrawing an own request. */
type Rights = { mayDecide: boolean; isNamed: boolean; isOwn: (approval: Approval) => boolean };
type Decide = (approval: Approval, decision: 'approve' | 'reject') => void;

export function ApprovalsPage() {
  const { ask, dialog } = useAction(useRefresh());
  const rights = useRights();
  const decide: Decide = (approval, decision) =>
    ask(decision === 'approve' ? approveAction(approval) : rejectAction(approval, rights.isOwn(approval)));
  return (
    <Page title={text.title} lead={text.lead}>
      <ListTable
        route="GET /operator/approvals"
        filters={FILTERS}
        rowsOf={({ approvals }) => approvals}
        text={text}
        columns={columnsOf(rights, decide)}
        rowKey={({ id }) => id}
      />
      {dialog}
    </Page>
  );
}

function useRights(): Rights {
  const me = useMe().data;
  const name = me?.name ?? null;
  const self = name === null ? 'operator' : `operator:${name}`;
  return {
    mayDecide: me?.scopes.includes('money') ?? false,
    isNamed: name !== null,
    isOwn: ({ requested_by: by }) => by === self,
  };
}

function columnsOf(rights: Rights, onDecide: Decide): Column<Approval>[] {
  const { columns } = text;
  return [
    { key: 'act', label: columns.act, cell: ({ operation }) => named(text.acts, operation) },
    {
      key: 'state',
      label: columns.state,
      cell: ({ state }) => <Badge tone={TONES[state]}>{text.states[state]}</Badge>,
    },
    { key: 'amount', label: columns.amount, numeric: true, cell: (row) => <Money micro={row.amount_micro} /> },
    { key: 'subject', label: columns.subject, cell: (approval) => <About approval={approval} /> },
    {
      key: 'requested',
      label: columns.requested,
      cell: (row) => (
        <span className={classes.act}>
          <Subject subject={row.requested_by} />
          <RelativeTime at={row.requested_at} />
        </span>
      ),
    },
    { key: 'why', label: columns.why, cell: (row) => <span className={classes.note}>{reasonOf(row) ?? '–'}</span> },
    { key: 'decided', label: columns.decided, cell: (approval) => <Decided approval={approval} /> },
    {
      key: 'decide',
      label: columns.action,
      acts: true,
      cell: (approval) => <Decisions approval={approval} rights={rights} onDecide={onDecide} />,
    },
  ];
}

/** The payout, the transfer, or the project, and its people. The link to a project has its title. */
function About({ approval: { subject, parties } }: { approval: Approval }) {
  const isProject = subject === `project:${parties.project?.id}`;
  const isNamed = parties.project !== null || parties.agent !== null || parties.poster !== null;
  return (
    <span className={classes.act}>
      {isProject ? null : <Subject subject={subject} />}
      {isNamed ? <PartyLinks of={parties} /> : null}
    </span>
  );
}

/** The operator who decided, and the reason of a rejection. A pending request shows when it ends. */
function Decided({ approval }: { approval: Approval }) {
  const { state, decided_by: by, decided_at: at, reason, expires_at: end } = approval;
  if (state === 'pending')
    return (
      <span className={classes.when}>
        {text.ends} <RelativeTime at={end} />
      </span>
    );
  if (by === null || at === null) return '–';
  return (
    <span className={classes.act}>
      <Subject subject={by} />
      <RelativeTime at={at} />
      {reason === null ? null : <span className={classes.note}>{reason}</span>}
    </span>
  );
}

type DecisionsProps = { approval: Approval; rights: Rights; onDecide: Decide };

function Decisions({ approval, rights: { mayDecide, isNamed, isOwn }, onDecide }: DecisionsProps) {
  if (approval.state !== 'pending' || !mayDecide) return null;
  const own = isOwn(approval);
  const act = `${named(text.acts, approval.operation)}, ${usdc(approval.amount_micro)} USDC`;
  return (
    <span className={classes.buttons}>
      {own || !isNamed ? null : (
        <Button
          variant="default"
          size="xs"
          aria-label={text.approveOf({ act })}
          onClick={() => onDecide(approval, 'approve')}
        >
          {text.approve}
        </Button>
      )}
      <Button
        variant="default"
        size="xs"
        aria-label={own ? text.withdrawOf({ act }) : text.rejectOf({ act })}
        onClick={() => onDecide(approval, 'reject')}
      >
        {own ? text.withdraw : text.reject}
      </Button>
    </span>
  );
}
