import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../components/public.ts';
import { DeskList, type DeskListOf, type ListRoute } from '../lists/desk-list.tsx';
import classes from './pages.module.css';

export type Tab = { to: string; label: string };

type ListPageProps<R extends ListRoute> = {
  title: string;
  lead: string;
  /** The lists of the page, of which each has an address. */
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
