import { Button } from '@mantine/core';
import type { ApiData } from '../api.ts';
import { CopyText } from '../components/copy-text.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Money } from '../components/money.tsx';
import { Page } from '../components/page.tsx';
import { Badge, type Tone } from '../components/status-badge.tsx';
import { usdc } from '../format.ts';
import { Answer } from '../keyed/answer.tsx';
import { Choice, FilterBar } from '../keyed/filter-bar.tsx';
import { PagedTable } from '../keyed/paged-table.tsx';
import { Section } from '../keyed/stats.tsx';
import { type Action, useAction } from '../keyed/use-action.tsx';
import { useFilters } from '../keyed/use-area.ts';
import { When } from '../keyed/when.tsx';
import { keyed } from '../messages/keyed.ts';
import { operator } from '../messages/operator.ts';
import { LIST_MS, operatorStore, useAsked, usePages, useRefresh } from './own-service.ts';
import classes from './lists.module.css';

type Payment = ApiData<'GET /operator/payments'>['payments'][number];

const text = operator.payments;
const UNKNOWN_MS = 5_000;
const TONES: Record<Payment['state'], Tone> = { settling: 'warn', settled: 'good', failed: 'quiet' };
const optionsOf = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }));

/** Those whose outcome is not known come first: they are the only ones about which something can be done. */
export function PaymentsPage() {
  const { values, isFiltered, change, clear } = useFilters(['state', 'kind']);
  const unknown = useAsked('GET /operator/payments', { query: { state: 'settling', limit: 100 } }, UNKNOWN_MS);
  const asked = usePages(
    'GET /operator/payments',
    { query: values },
    { next: (page) => page.next_cursor, everyMs: LIST_MS },
  );
  const refresh = useRefresh();
  const { ask, dialog } = useAction(refresh);
  const columns = columnsOf((payment) => ask(retryAction(payment)));
  return (
    <Page title={text.title} lead={text.lead}>
      <Section title={text.unknown} lead={text.unknownLead}>
        <Answer to={unknown} height={80}>
          {({ payments }) =>
            payments.length === 0 ? (
              <p>{text.noUnknown}</p>
            ) : (
              <DataTable caption={text.unknown} columns={columns} rows={payments} rowKey={({ id }) => id} />
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
            options={optionsOf(text.states)}
          />
          <Choice
            label={text.kind}
            value={values.kind}
            onChange={(value) => change('kind', value)}
            options={optionsOf(text.kinds)}
          />
        </FilterBar>
        <PagedTable
          asked={asked}
          empty={text.empty}
          filtered={isFiltered}
          caption={text.caption}
          columns={columns}
          rows={asked.data?.pages.flatMap(({ payments }) => payments) ?? []}
          rowKey={({ id }) => id}
        />
      </Section>
      {dialog}
    </Page>
  );
}

function retryAction({ id }: Payment): Action {
  return {
    title: text.retryTitle,
    text: text.retryText,
    confirm: text.retry,
    reason: keyed.reason,
    run: async (reason) => {
      const path = 'POST /operator/payments/{payment_id}/retry';
      return (await operatorStore.api.call(path, { params: { payment_id: id }, body: { reason } })).message;
    },
  };
}

function columnsOf(onRetry: (payment: Payment) => void): Column<Payment>[] {
  const { columns } = text;
  return [
    { key: 'kind', label: columns.kind, cell: ({ kind }) => <span className={classes.kind}>{text.kinds[kind]}</span> },
    {
      key: 'state',
      label: columns.state,
      cell: ({ state, late, error }) => (
        <span className={classes.state}>
          <Badge tone={TONES[state]}>{text.states[state]}</Badge>
          {late ? <Badge tone="warn">{text.late}</Badge> : null}
          {error ? <span className={classes.note}>{error}</span> : null}
        </span>
      ),
    },
    { key: 'amount', label: columns.amount, numeric: true, cell: (row) => <Money micro={row.amount_micro} /> },
    { key: 'created', label: columns.created, cell: (row) => <When at={row.created_at} /> },
    { key: 'from', label: columns.from, cell: ({ payer }) => <CopyText value={payer} what={text.wallet} /> },
    { key: 'to', label: columns.to, cell: (row) => <CopyText value={row.pay_to} what={text.wallet} /> },
    {
      key: 'transaction',
      label: columns.transaction,
      cell: ({ tx_hash: hash }) => (hash === null ? '–' : <CopyText value={hash} what={text.hash} />),
    },
    {
      key: 'retry',
      label: columns.action,
      cell: (payment) =>
        payment.state === 'settled' ? null : (
          <Button
            variant="default"
            size="xs"
            onClick={() => onRetry(payment)}
            aria-label={text.retryOf(text.kinds[payment.kind].toLowerCase(), usdc(payment.amount_micro))}
          >
            {text.retry}
          </Button>
        ),
    },
  ];
}
