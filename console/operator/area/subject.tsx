import { Link } from '@tanstack/react-router';
import { shortHash } from '../../format/public.ts';
import { operator } from '../../messages/public.ts';
import classes from './subject.module.css';

/** Returns the catalog's name for a value, or the value itself. */
export function named(names: Partial<Record<string, string>>, value: string): string {
  return names[value] ?? value;
}

/** Shows `project:<id>` as a kind with a title, or with a shortened id. */
function Named({ value, title }: { value: string; title: string | null }) {
  const [kind = '', id] = value.split(':');
  return (
    <span className={classes.kind} title={value}>
      {named(operator.audit.kinds, kind)}{' '}
      {title ?? (id === undefined ? null : <code className={classes.id}>{shortHash(id)}</code>)}
    </span>
  );
}

/** The name of an actor or a subject of the audit trail, with a link to its page if it has one. */
export function Subject({ subject, title = null }: { subject: string; title?: string | null }) {
  const [kind, id = ''] = subject.split(':');
  const name = <Named value={subject} title={title} />;
  if (kind === 'agent')
    return (
      <Link to="/operator/agents/$agentId" params={{ agentId: id }}>
        {name}
      </Link>
    );
  if (kind === 'project')
    return (
      <Link to="/operator/projects/$projectId" params={{ projectId: id }}>
        {name}
      </Link>
    );
  if (kind === 'poster')
    return (
      <Link to="/operator/posters/$posterId" params={{ posterId: id }}>
        {name}
      </Link>
    );
  return name;
}
