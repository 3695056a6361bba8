import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ApiData } from '../../api/public.ts';
import { shortHash } from '../../format/public.ts';
import { operator, operatorDesk } from '../../messages/public.ts';
import classes from './links.module.css';

type Parties = ApiData<'GET /operator/payments'>['payments'][number]['parties'];
type PageKind = 'project' | 'agent' | 'poster';

const PLACES: Record<PageKind, string> = {
  project: '/operator/projects',
  agent: '/operator/people/agents',
  poster: '/operator/people/posters',
};

/** Returns the catalog's name for a value, or the value itself. */
export function named(names: Partial<Record<string, string>>, value: string): string {
  return names[value] ?? value;
}

function isPageKind(kind: string): kind is PageKind {
  return kind in PLACES;
}

/** A link to the page of a project, an agent, or a poster. */
export function PageLink({ kind, id, children }: { kind: PageKind; id: string; children: ReactNode }) {
  return <Link to={`${PLACES[kind]}/${id}`}>{children}</Link>;
}

/** The project, the agent, and the poster of a row of money. */
export function PartyLinks({ of: parties }: { of: Parties }) {
  const shown = (Object.keys(PLACES) as PageKind[]).flatMap((kind) => {
    const party = parties[kind];
    return party === null ? [] : [{ kind, ...party }];
  });
  if (shown.length === 0) return '–';
  return (
    <span className={classes.parties}>
      {shown.map(({ kind, id, name }) => (
        <span key={kind}>
          <span className="soft">{operatorDesk.parties[kind]}</span>{' '}
          <PageLink kind={kind} id={id}>
            {name}
          </PageLink>
        </span>
      ))}
    </span>
  );
}

/** An actor or a subject of the audit trail, such as `project:<id>`, with a link to its page if it has one. */
export function Subject({ subject, title = null }: { subject: string; title?: string | null }) {
  const [kind = '', id] = subject.split(':');
  const name = (
    <span className={classes.kind} title={subject}>
      {named(operator.audit.kinds, kind)}{' '}
      {title ?? (id === undefined ? null : <code className={classes.id}>{shortHash(id)}</code>)}
    </span>
  );
  return id !== undefined && isPageKind(kind) ? (
    <PageLink kind={kind} id={id}>
      {name}
    </PageLink>
  ) : (
    name
  );
}
