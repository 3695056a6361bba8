import { operator, operatorDesk } from '../../messages/public.ts';
import { ListPage, type Tab } from './list-page.tsx';
import { payments, payouts, strays } from './money-lists.tsx';
import { agents, posters, projects } from './people-lists.tsx';
import { audit, emails, webhooks } from './record-lists.tsx';

const { sections, tabs, emails: emailText } = operatorDesk;

const PEOPLE: Tab[] = [
  { to: '/operator/people', label: operator.agents.title },
  { to: '/operator/people/posters', label: operatorDesk.posters.title },
];
export const MONEY: Tab[] = [
  { to: '/operator/money', label: operator.payments.title },
  { to: '/operator/money/payouts', label: operator.payouts.title },
  { to: '/operator/money/strays', label: operator.strays.title },
  { to: '/operator/money/revenue', label: tabs.revenue },
];
const DELIVERIES: Tab[] = [
  { to: '/operator/deliveries', label: tabs.webhooks },
  { to: '/operator/deliveries/emails', label: tabs.emails },
];

export function ProjectsPage() {
  return <ListPage title={operator.projects.title} lead={operator.projects.lead} list={projects} />;
}

export function AgentsPage() {
  return <ListPage title={sections.people} lead={operator.agents.lead} tabs={PEOPLE} list={agents} />;
}

export function PostersPage() {
  return <ListPage title={sections.people} lead={operatorDesk.posters.lead} tabs={PEOPLE} list={posters} />;
}

export function PaymentsPage() {
  return <ListPage title={sections.money} lead={operator.payments.lead} tabs={MONEY} list={payments} />;
}

export function PayoutsPage() {
  return <ListPage title={sections.money} lead={operator.payouts.lead} tabs={MONEY} list={payouts} />;
}

export function StraysPage() {
  return <ListPage title={sections.money} lead={operator.strays.lead} tabs={MONEY} list={strays} />;
}

export function WebhooksPage() {
  return (
    <ListPage title={operator.deliveries.title} lead={operator.deliveries.lead} tabs={DELIVERIES} list={webhooks} />
  );
}

export function EmailsPage() {
  return <ListPage title={operator.deliveries.title} lead={emailText.lead} tabs={DELIVERIES} list={emails} />;
}

export function AuditPage() {
  return <ListPage title={operator.audit.title} lead={operator.audit.lead} list={audit} />;
}
