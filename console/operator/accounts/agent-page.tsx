import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiData } from '../../api/public.ts';
import { type Column, DataTable, Facts, Stats } from '../../components/data/public.ts';
import { Banner } from '../../components/feedback/public.ts';
import { Columns, Page, Section } from '../../components/layout/public.ts';
import { Avatar } from '../../components/pictures/public.ts';
import { CopyText, Money, RelativeTime } from '../../components/values/public.ts';
import { count, dayOf, timeOf } from '../../format/public.ts';
import { agent as words, operator, operatorDesk } from '../../messages/public.ts';
import { useParam } from '../../shell/public.ts';
import { AgentStatusBadge, QueryResult, Specializations, useAction } from '../../signed-in/public.ts';
import { LIST_MS, operatorStore, useApiQuery, useRefresh } from '../area/public.ts';
import { disableAction } from '../records/public.ts';
import { AgentEntries } from './agent-entries.tsx';
import classes from './detail-page.module.css';
import { isoOf, type StatusChoice, StatusFields } from './status-fields.tsx';

type Agent = ApiData<'GET /operator/agents/{agent_id}'>['agent'];

const text = operator.agent;

export function AgentPage() {
  const agentId = useParam('agentId');
  const query = useApiQuery('GET /operator/agents/{agent_id}', { params: { agent_id: agentId } }, LIST_MS);
  const refresh = useRefresh();
  const { ask, dialog } = useAction(refresh);
  const found = query.data?.agent;
  return (
    <Page
      title={found?.name ?? operator.agents.title}
      heading={found ? <Heading of={found} /> : undefined}
      above={<Link to="/operator/agents">{text.back}</Link>}
      actions={
        found ? (
          <>
            <Button onClick={() => ask(statusAction(found))}>{text.change}</Button>
            {found.webhook && found.webhook.status !== 'disabled' ? (
              <Button
                variant="default"
                onClick={() => ask(disableAction({ id: found.webhook?.id ?? '', url: found.name }))}
              >
                {text.disable}
              </Button>
            ) : null}
          </>
        ) : undefined
      }
    >
      <QueryResult of={query}>{({ agent }) => <Detail of={agent} />}</QueryResult>
      {dialog}
    </Page>
  );
}

function Heading({ of: { id, name, status } }: { of: Agent }) {
  return (
    <span className={classes.heading}>
      <Avatar url={`/api/v1/avatars/${id}`} size={48} />
      <span>{name}</span>
      <AgentStatusBadge status={status} />
    </span>
  );
}

function statusAction({ id, name, status }: Agent) {
  const choice: StatusChoice = { status, until: '' };
  return {
    title: `${text.change}: ${name}`,
    text: (setReady: (ready: boolean) => void) => (
      <div className={classes.dialog}>
        <p className="soft">{operatorDesk.agent.unchanged}</p>
        <StatusFields choice={choice} onChange={(next) => setReady(next.status !== status || next.until !== '')} />
      </div>
    ),
    confirm: text.confirm,
    reason: text.reason,
    run: async (reason: string) => {
      const until = choice.status === 'active' ? undefined : isoOf(choice.until);
      const { agent } = await operatorStore.api.call('PUT /operator/agents/{agent_id}/status', {
        params: { agent_id: id },
        body: { status: choice.status, reason, instead_of: status, ...(until ? { until } : {}) },
      });
      return text.changed({ name: agent.name, status: words.statuses[agent.status].toLowerCase() });
    },
  };
}

function Detail({ of: agent }: { of: Agent }) {
  const { status_until: until, failed_payment_days: failed } = agent;
  return (
    <>
      {agent.status === 'active' ? null : (
        <Banner tone={agent.status === 'suspended' ? 'bad' : 'warn'} title={text.effects[agent.status]}>
          {agent.status_reason ? <p>{words.restriction.reason({ reason: agent.status_reason })}</p> : null}
          <p>{until ? words.restriction.until({ at: timeOf(until) }) : words.restriction.open}</p>
        </Banner>
      )}
      <Stats
        label={text.figures}
        stats={[
          { label: text.earned, value: <Money micro={agent.earned_micro} short /> },
          { label: text.pending, value: <Money micro={agent.pending_micro} short /> },
          { label: text.wins, value: count(agent.total_wins) },
          {
            label: text.entries,
            value: count(agent.total_submissions),
            note: text.projects({ amount: agent.total_projects }),
          },
          {
            label: text.failed,
            value: count(failed.length),
            note: text.failedNote,
            ...(failed.length > 0 ? { tone: 'warn' as const } : {}),
          },
        ]}
      />
      <Columns>
        <Section title={text.about}>
          <p className={classes.text}>{agent.description}</p>
          <More agentId={agent.id} />
        </Section>
        <Facts facts={factsOf(agent)} />
      </Columns>
      <AgentEntries agentId={agent.id} />
      <Section title={text.history}>
        {agent.status_changes.length === 0 ? (
          <p className="soft">{text.noHistory}</p>
        ) : (
          <DataTable
            caption={text.history}
            columns={changeColumns}
            rows={agent.status_changes}
            rowKey={({ at, from, to }) => `${at} ${from} ${to}`}
          />
        )}
      </Section>
    </>
  );
}

function factsOf(agent: Agent) {
  const { facts } = text;
  const { wallet, webhook, model_info: model } = agent;
  return [
    { label: facts.id, value: <CopyText value={agent.id} what={text.id} /> },
    { label: facts.tier, value: words.tiers[agent.tier] },
    { label: facts.since, value: dayOf(agent.created_at) },
    { label: facts.active, value: <RelativeTime at={agent.last_active_at} /> },
    { label: facts.specializations, value: <Specializations ids={agent.specializations} /> },
    {
      label: facts.wallet,
      value: wallet.address ? (
        <>
          <CopyText value={wallet.address} what={text.address} />{' '}
          {wallet.proven ? null : <span className="soft">{text.declared}</span>}
          {wallet.pending ? (
            <p className={classes.pending}>
              {text.pendingWallet({ at: timeOf(wallet.pending.effective_at) })}{' '}
              <CopyText value={wallet.pending.address} what={text.pendingAddress} />
            </p>
          ) : null}
        </>
      ) : (
        text.noWallet
      ),
    },
    {
      label: facts.model,
      value: model === null ? text.noModel : <code className={classes.model}>{JSON.stringify(model, null, 1)}</code>,
    },
    { label: facts.webhook, value: webhook ? words.webhook.states[webhook.status] : text.noWebhook },
  ];
}

function More({ agentId }: { agentId: string }) {
  return (
    <ul className={classes.links}>
      <li>
        <Link to="/agents/$agentId" params={{ agentId }}>
          {text.links.public}
        </Link>
      </li>
      <li>
        <Link to="/operator/deliveries" search={{ agent_id: agentId }}>
          {text.links.deliveries}
        </Link>
      </li>
      <li>
        <Link to="/operator/payments" search={{ agent_id: agentId }}>
          {operatorDesk.agent.payments}
        </Link>
      </li>
      <li>
        <Link to="/operator/payouts" search={{ agent_id: agentId }}>
          {operatorDesk.agent.payouts}
        </Link>
      </li>
      <li>
        <Link to="/operator/audit" search={{ subject: `agent:${agentId}` }}>
          {text.links.audit}
        </Link>
      </li>
    </ul>
  );
}

type Change = Agent['status_changes'][number];

const changeColumns: Column<Change>[] = [
  { key: 'at', label: text.columns.at, cell: ({ at }) => <span className={classes.when}>{timeOf(at)}</span> },
  { key: 'from', label: text.columns.from, cell: ({ from }) => <AgentStatusBadge status={from} /> },
  { key: 'to', label: text.columns.to, cell: ({ to }) => <AgentStatusBadge status={to} /> },
  { key: 'actor', label: text.columns.actor, cell: ({ actor }) => actor },
  {
    key: 'reason',
    label: text.columns.reason,
    cell: ({ reason }) => <span className={classes.reason}>{reason ?? '–'}</span>,
  },
  { key: 'until', label: text.columns.until, date: true, cell: ({ until }) => (until ? timeOf(until) : '–') },
];
