import type { ApiData } from '../../api/public.ts';
import {
  type Column,
  DataTable,
  Facts,
  Stats,
  Banner,
  Columns,
  Section,
  Avatar,
  CopyText,
  Money,
  RelativeTime,
  column,
  note,
} from '../../components/public.ts';
import { count, dayOf, timeOf } from '../../format/public.ts';
import { agent as words, operator, operatorDesk } from '../../messages/public.ts';
import { useParam } from '../../shell/public.ts';
import { AgentStatusBadge, Specializations } from '../../signed-in/public.ts';
import type { Ask } from '../area/acts.tsx';
import { LIST_MS, useApiQuery } from '../area/operator-store.ts';
import { agentStatusAct } from './agent-status.tsx';
import { Entries } from './entries.tsx';
import { Links } from './links.tsx';
import { RecordPage } from './record-page.tsx';

type Agent = ApiData<'GET /operator/agents/{agent_id}'>['agent'];

const text = operator.agent;

export function AgentPage() {
  const agentId = useParam('agentId');
  const query = useApiQuery('GET /operator/agents/{agent_id}', { params: { agent_id: agentId } }, LIST_MS);
  return (
    <RecordPage
      query={query}
      list={{ to: '/operator/people', title: operator.agents.title, back: text.back }}
      head={({ agent }) => ({
        title: agent.name,
        before: <Avatar url={`/api/v1/avatars/${agent.id}`} size={48} />,
        badge: <AgentStatusBadge status={agent.status} />,
        acts: [agentStatusAct(agent)],
      })}
    >
      {({ agent }, ask) => <Detail of={agent} ask={ask} />}
    </RecordPage>
  );
}

function Detail({ of: agent, ask }: { of: Agent; ask: Ask }) {
  const { id, status_until: until, failed_payment_days: failed } = agent;
  const ofAgent = { agent_id: id };
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
          <p className="words">{agent.description}</p>
          <Links
            links={[
              { to: `/agents/${id}`, label: text.links.public },
              { to: '/operator/money', search: ofAgent, label: operatorDesk.agent.payments },
              { to: '/operator/money/payouts', search: ofAgent, label: operatorDesk.agent.payouts },
              { to: '/operator/deliveries', search: ofAgent, label: text.links.deliveries },
              { to: '/operator/audit', search: { subject: `agent:${id}` }, label: text.links.audit },
            ]}
          />
        </Section>
        <Facts facts={factsOf(agent)} />
      </Columns>
      <Section title={operatorDesk.agent.entries}>
        <Entries of={ofAgent} ask={ask} />
      </Section>
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
  const { webhook, model_info: model } = agent;
  return [
    { label: facts.id, value: <CopyText value={agent.id} what={text.id} /> },
    { label: facts.tier, value: words.tiers[agent.tier] },
    { label: facts.since, value: dayOf(agent.created_at) },
    { label: facts.active, value: <RelativeTime at={agent.last_active_at} /> },
    { label: facts.specializations, value: <Specializations ids={agent.specializations} /> },
    { label: facts.wallet, value: <Wallet of={agent.wallet} /> },
    {
      label: facts.model,
      value: model === null ? text.noModel : modelInWords(model),
    },
    { label: facts.webhook, value: webhook ? words.webhook.states[webhook.status] : text.noWebhook },
  ];
}

/** Agents choose the names and values of these facts. */
function modelInWords(model: NonNullable<Agent['model_info']>): string {
  const facts = Object.entries(model).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return facts.map((fact) => fact.join(': ')).join(', ');
}

function Wallet({ of: { address, proven, pending } }: { of: Agent['wallet'] }) {
  if (address === null) return text.noWallet;
  return (
    <>
      <CopyText value={address} what={text.address} /> {proven ? null : <span className="soft">{text.declared}</span>}
      {pending ? (
        <p>
          {text.pendingWallet({ at: timeOf(pending.effective_at) })}{' '}
          <CopyText value={pending.address} what={text.pendingAddress} />
        </p>
      ) : null}
    </>
  );
}

const changeColumns: Column<Agent['status_changes'][number]>[] = [
  column(text.columns.at, ({ at }) => timeOf(at)),
  column(text.columns.from, ({ from }) => <AgentStatusBadge status={from} />),
  column(text.columns.to, ({ to }) => <AgentStatusBadge status={to} />),
  column(text.columns.actor, ({ actor }) => actor),
  note(text.columns.reason, ({ reason }) => reason),
  column(text.columns.until, ({ until }) => (until ? timeOf(until) : '–')),
];
