import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../components/public.ts';
import { operator, operatorDesk } from '../../messages/public.ts';
import { DeskList, type DeskListOf, type ListRoute } from '../lists/desk-list.tsx';
import { payments, payouts, strays } from './money-lists.tsx';
import { agents, posters, projects } from './people-lists.tsx';
import { audit, emails, webhooks } from './record-lists.tsx';
import classes from './pages.module.css';

const { sections, emails: emailText } = operatorDesk;

const PEOPLE: Tab[] = [
  { to: '/operator/people', label: operator.agents.title },
  { to: '/operator/people/posters', label: operatorDesk.posters.title },
];
export const MONEY: Tab[] = [
  { to: '/operator/money', label: operator.payments.title },
  { to: '/operator/money/payouts', label: operator.payouts.title },
  { to: '/operator/money/strays', label: operator.strays.title },
  { to: '/operator/money/revenue', label: operatorDesk.tabs.revenue },
];
const DELIVERIES: Tab[] = [
  { to: '/operator/deliveries', label: operatorDesk.tabs.webhooks },
  { to: '/operator/deliveries/emails', label: operatorDesk.tabs.emails },
];

type Tab = { to: string; label: string };

type ListPageProps<R extends ListRoute> = {
  title: string;
  lead: string;
  /** The lists of the page, each with its own address. */
  tabs?: Tab[];
  list: DeskListOf<R>;
  actions?: ReactNode;
  children?: ReactNode;
};

/** A page of the operator that is one list, or one of several lists. */
export function ListPage<R extends ListRoute>({ title, lead, tabs, list, actions, children }: ListPageProps<R>) {
  return (
    <Page title={title} lead={lead} actions={actions} wide>
      {tabs === undefined ? null : (
        <nav className={`row loose ${classes.tabs}`} aria-label={title}>
          {tabs.map(({ to, label }) => (
            <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
              {label}
            </Link>
          ))}
        </nav>
      )}
      {children}
      {/* A list of its own, so that nothing of another tab stays. */}
      <DeskList key={list.route} of={list} />
    </Page>
  );
}

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
