import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Chart, DataTable, Facts } from '../../components/data/public.ts';
import { Section } from '../../components/layout/public.ts';
import { Money } from '../../components/values/public.ts';
import { capitalize, count, spanInWords } from '../../format/public.ts';
import { agent, messages, operator } from '../../messages/public.ts';
import type { Overview } from '../area/public.ts';
import classes from './overview-page.module.css';

const text = operator.overview;
const { columns } = text;

export function Owed({ of: payouts }: { of: Overview['payouts'] }) {
  const { states } = operator.payouts;
  return (
    <Section title={text.payouts} lead={text.payoutsLead}>
      {payouts.length === 0 ? (
        <p>{text.noPayouts}</p>
      ) : (
        <DataTable
          caption={text.payouts}
          rows={payouts}
          rowKey={({ state }) => state}
          columns={[
            {
              key: 'state',
              label: columns.state,
              cell: ({ state }) => (
                <Link to="/operator/payouts" search={{ state }}>
                  {states[state as keyof typeof states] ?? state}
                </Link>
              ),
            },
            { key: 'count', label: columns.count, numeric: true, cell: (row) => count(row.count) },
            { key: 'amount', label: columns.amount, numeric: true, cell: (row) => <Money micro={row.amount_micro} /> },
          ]}
        />
      )}
    </Section>
  );
}

export function Webhooks({ of }: { of: Overview['webhooks'] }) {
  const late = of.oldest_undelivered_seconds;
  return (
    <Section title={text.webhooks}>
      <Facts
        facts={[
          { label: text.oldest, value: late < 1 ? text.onTime : spanInWords(late * 1000) },
          { label: text.due, value: count(of.due) },
          { label: text.later, value: count(of.later) },
          { label: text.fanOuts, value: count(of.fan_outs_open) },
          {
            label: text.givenUp,
            value: (
              <Link to="/operator/deliveries" search={{ state: 'dead' }}>
                {count(of.given_up)}
              </Link>
            ),
          },
        ]}
      />
      <h3 className={classes.sub}>{text.attempts}</h3>
      <Attempts of={of.attempts} />
    </Section>
  );
}

function Attempts({ of: attempts }: { of: Overview['webhooks']['attempts'] }) {
  const { failures } = agent.webhook;
  if (attempts === null) return <p className="soft">{text.noSender}</p>;
  if (attempts.length === 0) return <p className="soft">{text.noAttempts}</p>;
  const named = (outcome: string) =>
    outcome === 'delivered'
      ? agent.webhook.deliveryStates.delivered
      : capitalize(failures[outcome as keyof typeof failures] ?? outcome);
  return (
    <DataTable
      caption={text.attempts}
      rows={attempts}
      rowKey={({ outcome }) => outcome}
      columns={[
        { key: 'outcome', label: columns.outcome, cell: ({ outcome }) => named(outcome) },
        { key: 'count', label: columns.count, numeric: true, cell: (row) => count(row.count) },
      ]}
    />
  );
}

export function People({ of: { agents, projects } }: { of: Overview }) {
  return (
    <Section title={text.people}>
      <Counts caption={text.agents} to="/operator/agents" counts={agents} names={agent.statuses} />
      <Counts caption={text.projects} to="/operator/projects" counts={projects} names={messages.status} />
    </Section>
  );
}

type CountsProps<Status extends string> = {
  caption: string;
  to: string;
  counts: Record<Status, number>;
  names: Record<Status, string>;
};

function Counts<Status extends string>({ caption, to, counts, names }: CountsProps<Status>) {
  return (
    <div className={classes.counts}>
      <h3 className={classes.sub}>{caption}</h3>
      <ul>
        {(Object.keys(counts) as Status[]).map((status) => (
          <li key={status}>
            <Link to={to} search={{ status }}>
              <span>{names[status]}</span>
              <span className="tabular">{count(counts[status])}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function Process({ of: { answers, failures } }: { of: Overview['process'] }) {
  const key = JSON.stringify(answers);
  const [x, series] = useMemo(() => {
    const shown = JSON.parse(key) as typeof answers;
    return [
      { label: text.status, values: shown.map(({ status }) => text.statusOf({ status })) },
      [{ label: text.answers, values: shown.map((row) => row.count), format: count }],
    ];
  }, [key]);
  return (
    <div className={classes.process}>
      <Chart title={text.statusChart} kind="bars" x={x} series={series} />
      <div>
        <h3 className={classes.sub}>{text.failures}</h3>
        {failures.length === 0 ? (
          <p className="soft">{text.noFailures}</p>
        ) : (
          <DataTable
            caption={text.failures}
            rows={failures}
            rowKey={({ operation, status }) => `${operation} ${status}`}
            columns={[
              { key: 'operation', label: columns.operation, cell: ({ operation }) => operation },
              { key: 'status', label: columns.status, numeric: true, cell: ({ status }) => status },
              { key: 'count', label: columns.count, numeric: true, cell: (row) => count(row.count) },
            ]}
          />
        )}
      </div>
    </div>
  );
}
