import { CopyText, Facts, Money, type Tone, column, note, state, time } from '../../components/public.ts';
import { capitalize, timeOf } from '../../format/public.ts';
import { agent, notifications, operator, operatorDesk, signedIn } from '../../messages/public.ts';
import { Attempts, DeliveryState } from '../../signed-in/public.ts';
import { withReason } from '../area/acts.tsx';
import { named, PageLink, Subject } from '../area/links.tsx';
import { DAYS, OF_AGENT, OF_PROJECT } from '../lists/filters.tsx';
import type { DeskListOf, RowOf } from '../lists/desk-list.tsx';

type Delivery = RowOf<'GET /operator/webhooks/deliveries'>;
type Email = RowOf<'GET /operator/emails'>;

const { deliveries: deliveryText, audit: auditText } = operator;
const { emails: emailText } = operatorDesk;

/** The agent or the poster that a webhook or an address belongs to. */
function Owner({ agentId, posterId, name }: { agentId: string | null; posterId: string | null; name: string | null }) {
  const id = agentId ?? posterId;
  if (id === null) return '–';
  return <PageLink kind={agentId === null ? 'poster' : 'agent'} id={id} name={name} />;
}

export const webhooks: DeskListOf<'GET /operator/webhooks/deliveries'> = {
  route: 'GET /operator/webhooks/deliveries',
  text: deliveryText,
  filters: [
    { name: 'state', label: deliveryText.state, names: agent.webhook.deliveryStates },
    OF_AGENT,
    OF_PROJECT,
    { name: 'webhook_id', label: deliveryText.columns.url, linked: deliveryText.oneWebhook },
    ...DAYS,
  ],
  rowKey: ({ id, webhook_id: webhookId }) => `${id} ${webhookId}`,
  columns: [
    note(
      deliveryText.columns.url,
      ({ webhook_url: url, poster_id: posterId }) =>
        url ?? deliveryText.deleted[posterId === null ? 'agent' : 'poster'],
    ),
    column(deliveryText.columns.owner, (row: Delivery) => (
      <Owner agentId={row.agent_id} posterId={row.poster_id} name={row.agent_name ?? row.poster_name} />
    )),
    column(deliveryText.columns.event, ({ event }) => named(notifications.types, event)),
    column(deliveryText.columns.project, ({ project_id: id, project_title: title }) =>
      id === null ? '–' : <PageLink kind="project" id={id} name={title} />,
    ),
    column(deliveryText.columns.state, (row) => <DeliveryState state={row.state} />),
    time(deliveryText.columns.created, (row) => row.created_at),
    column(deliveryText.columns.attempts, ({ attempts }) => <Attempts of={attempts} />),
    time(deliveryText.columns.next, (row) => row.next_attempt_at),
  ],
  actsOn: ({ webhook_id: id, webhook_url: url }) =>
    url === null
      ? []
      : [
          {
            of: deliveryText.disableOf({ url }),
            title: deliveryText.disableTitle,
            text: deliveryText.disableText({ url }),
            confirm: deliveryText.disable,
            destructive: true,
            reason: signedIn.reason,
            run: withReason('POST /operator/webhooks/{webhook_id}/disable', { webhook_id: id }),
          },
        ],
};

const DIGITS = /^(?:0x)?[0-9a-f-]{32,}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT/;
const EMAIL_TONES: Record<Email['state'], Tone> = { waiting: 'warn', sent: 'good', failed: 'bad' };

export const emails: DeskListOf<'GET /operator/emails'> = {
  route: 'GET /operator/emails',
  text: emailText,
  filters: [{ name: 'state', label: emailText.state, names: emailText.states }, ...DAYS],
  rowKey: ({ id }) => id,
  columns: [
    note(emailText.address, (row: Email) => row.address),
    column(deliveryText.columns.owner, ({ account_kind: kind, account_id: id, account_name: name }) =>
      kind === 'operator' ? (
        operator.name
      ) : (
        <Owner agentId={kind === 'agent' ? id : null} posterId={kind === 'poster' ? id : null} name={name} />
      ),
    ),
    note(emailText.content, ({ kind, events }) =>
      kind !== 'events'
        ? emailText[kind]
        : [...new Set(events)].map((event) => named(notifications.types, event)).join(', '),
    ),
    state(emailText.state, {
      names: emailText.states,
      tones: EMAIL_TONES,
      of: (email: Email) => email.state,
      more: ({ failure }) => failure,
    }),
    time(emailText.created, (row) => row.created_at),
    time(emailText.sent, (row) => row.sent_at),
    time(deliveryText.columns.next, (row) => row.next_attempt_at),
  ],
};

/** The details of an entry of the audit trail, in words. Buttons copy ids and hashes. */
function Recorded({ of: details }: { of: object }) {
  const known = Object.entries(details).filter(([, value]) => value !== null);
  const facts = known.map(([key, value]: [string, string | number | boolean | object]) => {
    const label = capitalize(
      key
        .replace('tx_hash', 'transaction')
        .replace(/_(?:micro|id)$/, '')
        .replaceAll('_', ' '),
    );
    if (key.endsWith('_micro')) return { label, value: <Money micro={Number(value)} /> };
    if (typeof value === 'object' && !Array.isArray(value)) return { label, value: <Recorded of={value} /> };
    const text = [value].flat().join(', ');
    if (DIGITS.test(text)) return { label, value: <CopyText value={text} what={label} /> };
    return { label, value: MOMENT.test(text) ? timeOf(text) : text };
  });
  return <Facts facts={facts} />;
}

export const audit: DeskListOf<'GET /operator/audit'> = {
  route: 'GET /operator/audit',
  text: auditText,
  filters: [
    { name: 'subject', label: auditText.subject, hint: auditText.subjectHint },
    { name: 'action', label: auditText.action, names: auditText.actions },
    { name: 'actor', label: auditText.actor, hint: auditText.actorHint },
    ...DAYS,
  ],
  rowKey: ({ id }) => id,
  columns: [
    column(auditText.columns.at, ({ at }) => <time dateTime={at}>{timeOf(at)}</time>),
    column(auditText.columns.actor, ({ actor, actor_name: name }) => <Subject subject={actor} name={name} />),
    column(auditText.columns.action, ({ action }) => <span title={action}>{named(auditText.actions, action)}</span>),
    column(auditText.columns.subject, ({ subject, subject_name: name }) => <Subject subject={subject} name={name} />),
    note(auditText.columns.reason, ({ reason }) => reason),
    column(auditText.columns.details, ({ details }) =>
      Object.keys(details).length === 0 ? (
        '–'
      ) : (
        <details>
          <summary>{auditText.details}</summary>
          <Recorded of={details} />
        </details>
      ),
    ),
  ],
};
