import { operator, operatorDesk } from '../../messages/public.ts';
import type { DeskListOf, ListRoute } from '../lists/desk-list.tsx';
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

/** A page that is one list, or one of the lists of its tabs. */
const page =
  <R extends ListRoute>(title: string, lead: string, list: DeskListOf<R>, all?: Tab[]) =>
  () => <ListPage title={title} lead={lead} list={list} {...(all ? { tabs: all } : {})} />;

export const ProjectsPage = page(operator.projects.title, operator.projects.lead, projects);
export const AgentsPage = page(sections.people, operator.agents.lead, agents, PEOPLE);
export const PostersPage = page(sections.people, operatorDesk.posters.lead, posters, PEOPLE);
export const PaymentsPage = page(sections.money, operator.payments.lead, payments, MONEY);
export const PayoutsPage = page(sections.money, operator.payouts.lead, payouts, MONEY);
export const StraysPage = page(sections.money, operator.strays.lead, strays, MONEY);
export const WebhooksPage = page(operator.deliveries.title, operator.deliveries.lead, webhooks, DELIVERIES);
export const EmailsPage = page(operator.deliveries.title, emailText.lead, emails, DELIVERIES);
export const AuditPage = page(operator.audit.title, operator.audit.lead, audit);
