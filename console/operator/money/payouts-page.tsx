import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiData } from '../../api/public.ts';
import type { Column } from '../../components/data/public.ts';
import { Badge, CopyText, Money, RelativeTime, type Tone, TransactionHash } from '../../components/values/public.ts';
import { capitalize, shortHash, timeOf, usdc } from '../../format/public.ts';
import { operator, operatorDesk, signedIn } from '../../messages/public.ts';
import type { Action } from '../../signed-in/public.ts';
import { operatorStore, PartyLinks } from '../area/public.ts';
import { type Filter, MONEY_FILTERS, optionsOf, type ShownRows } from '../lists/public.ts';
import { BulkButton, type BulkGiven, type BulkResult } from './bulk.tsx';
import { BulkResults } from './bulk-results.tsx';
import { MoneyPage } from './money-page.tsx';
import classes from './money.module.css';
import { ReleaseAll } from './release-all.tsx';
import { withdrawAction } from './withdraw.tsx';

type Payout = ApiData<'GET /operator/payouts'>['payouts'][number];

const text = operator.payouts;
const FILTERS: Filter[] = [
  { name: 'state', label: text.state, options: optionsOf(text.states) },
  { name: 'project_id', label: text.project, linked: text.oneProject },
  { name: 'agent_id', label: operatorDesk.filters.agent, linked: operatorDesk.filters.oneAgent },
  { name: 'poster_id', label: operatorDesk.filters.poster, linked: operatorDesk.filters.onePoster },
  ...MONEY_FILTERS,
];
const TONES: Record<Payout['state'], Tone> = {
  waiting: 'warn',
  held: 'bad',
  ready: 'quiet',
  refused: 'bad',
  credited: 'quiet',
  sending: 'warn',
  settled: 'good',
};

/** Held payouts come first, because they wait for the operator or for a daily cap. */
export function PayoutsPage() {
  const [results, setResults] = useState<BulkResult[]>([]);
  return (
    <MoneyPage
      text={text}
      route="GET /operator/payouts"
      first="held"
      filters={FILTERS}
      rowsOf={({ payouts }) => payouts}
      columnsOf={(ask) => columnsOf((payout) => ask(actionOf(payout)))}
      above={<BulkResults of={results} />}
      bulk={(ask, shown) => <ReleaseShown ask={ask} onResults={setResults} shown={shown} />}
      actions={(ask) => (
        <>
          <ReleaseAll ask={ask} />
          <Button variant="default" onClick={() => ask(withdrawAction())}>
            {text.withdraw}
          </Button>
        </>
      )}
    />
  );
}

function actionOf(payout: Payout): Action {
  if (payout.state === 'held') return releaseAction(payout);
  return payout.state === 'credited' ? sendAction(payout) : retryAction(payout);
}

/** Releases the held payouts of a table, each on its own. Those above the cap of one transfer are included. */
function ReleaseShown({ shown, ...given }: { shown: ShownRows<Payout> } & BulkGiven) {
  const { bulk } = operatorDesk;
  return (
    <BulkButton
      {...given}
      label={bulk.release}
      title={bulk.releaseTitle}
      text={bulk.releaseText}
      rows={shown.rows.filter(({ state }) => state === 'held')}
      notes={shown.hasMore ? [bulk.more] : []}
      nameOf={nameOf}
      act={async ({ id }, reason) => await retry(id, reason)}
    />
  );
}

function nameOf({ amount_micro: micro, kind, parties, recipient }: Payout): string {
  const names = [text.kinds[kind], parties.project?.name, recipient === null ? null : shortHash(recipient)];
  return [`${usdc(micro)} USDC`, ...names.filter((name) => typeof name === 'string')].join(' · ');
}

async function retry(id: string, reason: string): Promise<string> {
  const path = 'POST /operator/payouts/{payout_id}/retry';
  return (await operatorStore.api.call(path, { params: { payout_id: id }, body: { reason } })).message;
}

function releaseAction({ id, amount_micro: micro, recipient }: Payout): Action {
  return {
    title: text.releaseTitle({ amount: usdc(micro) }),
    text: text.releaseText({ to: recipient ?? '' }),
    confirm: text.release,
    reason: signedIn.reason,
    run: (reason) => retry(id, reason),
  };
}

function sendAction({ id, amount_micro: micro }: Payout): Action {
  return {
    title: text.sendTitle({ amount: usdc(micro) }),
    text: text.sendText,
    confirm: text.send,
    reason: signedIn.reason,
    run: (reason) => retry(id, reason),
  };
}

function retryAction({ id }: Payout): Action {
  return {
    title: text.retryTitle,
    text: text.retryText,
    confirm: text.retry,
    reason: signedIn.reason,
    run: (reason) => retry(id, reason),
  };
}

function columnsOf(onAct: (payout: Payout) => void): Column<Payout>[] {
  const { columns } = text;
  return [
    {
      key: 'kind',
      label: columns.kind,
      cell: ({ kind, project_id: projectId }) =>
        projectId === null ? (
          <span className={classes.kind}>{text.kinds[kind]}</span>
        ) : (
          <Link
            to="/operator/projects/$projectId"
            params={{ projectId }}
            className={classes.kind}
            title={`${text.project} ${shortHash(projectId)}`}
          >
            {text.kinds[kind]}
          </Link>
        ),
    },
    {
      key: 'state',
      label: columns.state,
      cell: (payout) => <State payout={payout} />,
    },
    { key: 'amount', label: columns.amount, numeric: true, cell: (row) => <Money micro={row.amount_micro} /> },
    {
      key: 'to',
      label: columns.to,
      cell: ({ recipient }) =>
        recipient === null ? '–' : <CopyText value={recipient} what={operator.payments.wallet} />,
    },
    { key: 'parties', label: operatorDesk.parties.project, cell: ({ parties }) => <PartyLinks of={parties} /> },
    { key: 'created', label: columns.created, cell: (row) => <RelativeTime at={row.created_at} /> },
    {
      key: 'note',
      label: columns.note,
      cell: ({ note }) => <span className={classes.note}>{note === null ? '–' : capitalize(note)}</span>,
    },
    {
      key: 'transaction',
      label: columns.transaction,
      cell: ({ tx_hash: hash }) => (hash === null ? '–' : <TransactionHash hash={hash} />),
    },
    { key: 'act', label: columns.action, acts: true, cell: (payout) => <Act payout={payout} onAct={onAct} /> },
  ];
}

function State({ payout: { state, held_until: until } }: { payout: Payout }) {
  return (
    <span className={classes.state}>
      <Badge tone={TONES[state]}>{text.states[state]}</Badge>
      {state === 'held' && until !== null ? (
        <span className={classes.note}>{text.resumes({ at: timeOf(until) })}</span>
      ) : null}
      {state === 'credited' ? <span className={classes.note}>{text.credited}</span> : null}
    </span>
  );
}

const LABELS: Partial<Record<Payout['state'], { label: string; of: (values: { amount: string }) => string }>> = {
  held: { label: text.release, of: text.releaseOf },
  credited: { label: text.send, of: text.sendOf },
};

/** The action of a payout. Payouts that wait for a wallet or have settled have none. */
function Act({ payout, onAct }: { payout: Payout; onAct: (payout: Payout) => void }) {
  if (payout.state === 'waiting' || payout.state === 'settled') return null;
  const { label, of } = LABELS[payout.state] ?? { label: text.retry, of: text.retryOf };
  return (
    <Button
      variant={payout.state === 'held' ? 'filled' : 'default'}
      size="xs"
      onClick={() => onAct(payout)}
      aria-label={of({ amount: usdc(payout.amount_micro) })}
    >
      {label}
    </Button>
  );
}
