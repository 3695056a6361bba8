import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiData } from '../api.ts';
import { CopyText } from '../components/copy-text.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Money } from '../components/money.tsx';
import { Page } from '../components/page.tsx';
import { Badge, type Tone } from '../components/status-badge.tsx';
import { shortHash, usdc } from '../format.ts';
import { Answer } from '../keyed/answer.tsx';
import { Choice, FilterBar } from '../keyed/filter-bar.tsx';
import { PagedTable } from '../keyed/paged-table.tsx';
import { Section } from '../keyed/stats.tsx';
import { type Action, useAction } from '../keyed/use-action.tsx';
import { useFilters } from '../keyed/use-area.ts';
import { When } from '../keyed/when.tsx';
import { keyed } from '../messages/keyed.ts';
import { operator } from '../messages/operator.ts';
import classes from './lists.module.css';
import { LIST_MS, operatorStore, useAsked, usePages, useRefresh } from './own-service.ts';

type Payout = ApiData<'GET /operator/payouts'>['payouts'][number];

const text = operator.payouts;
const HELD_MS = 5_000;
const TONES: Record<Payout['state'], Tone> = {
  waiting: 'warn',
  held: 'bad',
  ready: 'quiet',
  sending: 'warn',
  settled: 'good',
};
const STATES = Object.entries(text.states).map(([value, label]) => ({ value, label }));

/** Those that are held come first: they move by the operator's word alone. */
export function PayoutsPage() {
  const { values, isFiltered, change, clear } = useFilters(['state', 'project_id']);
  const held = useAsked('GET /operator/payouts', { query: { state: 'held', limit: 100 } }, HELD_MS);
  const asked = usePages(
    'GET /operator/payouts',
    { query: values },
    { next: (page) => page.next_cursor, everyMs: LIST_MS },
  );
  const refresh = useRefresh();
  const { ask, dialog } = useAction(refresh);
  const columns = columnsOf((payout) => ask(payout.state === 'held' ? releaseAction(payout) : retryAction(payout)));
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <Button variant="default" onClick={() => ask(withdrawAction())}>
          {text.withdraw}
        </Button>
      }
    >
      <Section title={text.held} lead={text.heldLead}>
        <Answer to={held} height={80}>
          {({ payouts }) =>
            payouts.length === 0 ? (
              <p>{text.noHeld}</p>
            ) : (
              <DataTable caption={text.held} columns={columns} rows={payouts} rowKey={({ id }) => id} />
            )
          }
        </Answer>
      </Section>
      <Section title={text.all}>
        <FilterBar filtered={isFiltered} onClear={clear}>
          <Choice
            label={text.state}
            value={values.state}
            onChange={(value) => change('state', value)}
            options={STATES}
          />
        </FilterBar>
        <PagedTable
          asked={asked}
          empty={text.empty}
          filtered={isFiltered}
          caption={text.caption}
          columns={columns}
          rows={asked.data?.pages.flatMap(({ payouts }) => payouts) ?? []}
          rowKey={({ id }) => id}
        />
      </Section>
      {dialog}
    </Page>
  );
}

async function retry(id: string, reason: string): Promise<string> {
  const path = 'POST /operator/payouts/{payout_id}/retry';
  return (await operatorStore.api.call(path, { params: { payout_id: id }, body: { reason } })).message;
}

function releaseAction({ id, amount_micro: micro, recipient }: Payout): Action {
  return {
    title: text.releaseTitle(usdc(micro)),
    text: text.releaseText(recipient ?? ''),
    confirm: text.release,
    reason: keyed.reason,
    run: (reason) => retry(id, reason),
  };
}

function retryAction({ id }: Payout): Action {
  return {
    title: text.retryTitle,
    text: text.retryText,
    confirm: text.retry,
    reason: keyed.reason,
    run: (reason) => retry(id, reason),
  };
}

function withdrawAction(): Action {
  const given = { amount: '', recipient: '' };
  // Should it be sent twice, it moves the money once.
  const withdrawalId = crypto.randomUUID();
  return {
    title: text.withdrawTitle,
    text: (
      <div className={classes.dialog}>
        <p>{text.withdrawText}</p>
        <TextInput
          label={text.amount}
          inputMode="decimal"
          required
          onChange={(event) => {
            given.amount = event.currentTarget.value;
          }}
        />
        <TextInput
          label={text.recipient}
          placeholder="0x…"
          required
          pattern="0x[0-9a-fA-F]{40}"
          onChange={(event) => {
            given.recipient = event.currentTarget.value;
          }}
        />
      </div>
    ),
    confirm: text.withdraw,
    reason: keyed.reason,
    run: async (reason) => {
      const body = {
        amount_usdc: given.amount.trim(),
        recipient: given.recipient.trim(),
        reason,
        withdrawal_id: withdrawalId,
      };
      await operatorStore.api.call('POST /operator/withdrawals', { body });
      return text.withdrawn;
    },
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
      cell: ({ state }) => <Badge tone={TONES[state]}>{text.states[state]}</Badge>,
    },
    { key: 'amount', label: columns.amount, numeric: true, cell: (row) => <Money micro={row.amount_micro} /> },
    {
      key: 'to',
      label: columns.to,
      cell: ({ recipient }) =>
        recipient === null ? '–' : <CopyText value={recipient} what={operator.payments.wallet} />,
    },
    { key: 'created', label: columns.created, cell: (row) => <When at={row.created_at} /> },
    { key: 'note', label: columns.note, cell: ({ note }) => <span className={classes.note}>{note ?? '–'}</span> },
    {
      key: 'transaction',
      label: columns.transaction,
      cell: ({ tx_hash: hash }) => (hash === null ? '–' : <CopyText value={hash} what={operator.payments.hash} />),
    },
    { key: 'act', label: columns.action, cell: (payout) => <Act payout={payout} onAct={onAct} /> },
  ];
}

/** One that waits for a wallet, or has settled, moves by nobody's word. */
function Act({ payout, onAct }: { payout: Payout; onAct: (payout: Payout) => void }) {
  if (payout.state === 'waiting' || payout.state === 'settled') return null;
  const amount = usdc(payout.amount_micro);
  const isHeld = payout.state === 'held';
  return (
    <Button
      variant={isHeld ? 'filled' : 'default'}
      size="xs"
      onClick={() => onAct(payout)}
      aria-label={isHeld ? text.releaseOf(amount) : text.retryOf(amount)}
    >
      {isHeld ? text.release : text.retry}
    </Button>
  );
}
