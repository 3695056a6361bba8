import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';
import type { ApiData } from '../../api/public.ts';
import { type Column, column } from '../../components/public.ts';
import { distinctNames, shortHash } from '../../format/public.ts';
import { operator, operatorDesk } from '../../messages/public.ts';

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

const Names = createContext(distinctNames([]));

/** Shows rows. Where they have a name twice, it has the end of its id. */
export function DistinctNames({ rows, children }: { rows: readonly unknown[]; children: ReactNode }) {
  return <Names value={distinctNames(rows.flatMap(namesIn))}>{children}</Names>;
}

type Named = { id: string; name: string };

/** Returns what an answer names: `{id, name}`, `{project_id, project_title}`, or `{actor, actor_name}`, at any depth. */
function namesIn(answer: unknown): Named[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const parts = new Map<string, unknown>(Object.entries(answer));
  const own = [...parts].flatMap(([key, name]) => {
    if (!/(?:name|title)$/.test(key)) return [];
    const id = parts.get(key.replace(/(?:name|title)$/, 'id')) ?? parts.get(key.replace(/_name$/, ''));
    return typeof id === 'string' && typeof name === 'string' ? [{ id, name }] : [];
  });
  return [...own, ...[...parts.values()].flatMap(namesIn)];
}

/** A link to the page of a project, an agent, or a poster. */
export function PageLink({ kind, id, name }: { kind: PageKind; id: string; name: string | null }) {
  return <Link to={`${PLACES[kind]}/${id}`}>{useContext(Names)({ id, name: name ?? shortHash(id) })}</Link>;
}

/** The project, the agent, and the poster of a row of money. */
function PartyLinks({ of }: { of: Parties }) {
  const shown = (Object.keys(PLACES) as PageKind[]).flatMap((kind) => {
    const party = of[kind];
    return party === null ? [] : [{ kind, ...party }];
  });
  if (shown.length === 0) return '–';
  return (
    <span className="stack tight cell">
      {shown.map(({ kind, id, name }) => (
        <span key={kind}>
          <span className="soft">{operatorDesk.parties[kind]}</span> <PageLink kind={kind} id={id} name={name} />
        </span>
      ))}
    </span>
  );
}

/** An actor or a subject of the audit trail, such as `project:<id>`, with a link to its page if it has one. */
export function Subject({ subject, name = null }: { subject: string; name?: string | null }) {
  const [kind = '', id] = subject.split(':');
  const nameOf = useContext(Names);
  const shown = id === undefined ? '' : name === null ? shortHash(id) : nameOf({ id: subject, name });
  const words = `${named(operator.audit.kinds, kind)} ${shown}`;
  return id !== undefined && isPageKind(kind) ? (
    <PageLink kind={kind} id={id} name={words} />
  ) : (
    <span title={subject}>{words}</span>
  );
}

/** The column with the project, the agent, and the poster of a row of money. */
export function parties<Row extends { parties: Parties }>(): Column<Row> {
  return column(operatorDesk.parties.title, (row) => <PartyLinks of={row.parties} />);
}
