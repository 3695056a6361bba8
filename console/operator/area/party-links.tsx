import { Link } from '@tanstack/react-router';
import type { ApiData } from '../../api/public.ts';
import { operatorDesk } from '../../messages/public.ts';
import classes from './party-links.module.css';

type Parties = ApiData<'GET /operator/payments'>['payments'][number]['parties'];

const text = operatorDesk.parties;

/** The project, the agent, and the poster of a row of money, each with a link. */
export function PartyLinks({ of: { project, agent, poster } }: { of: Parties }) {
  if (project === null && agent === null && poster === null) return '–';
  return (
    <span className={classes.parties}>
      {project === null ? null : (
        <Link to="/operator/projects/$projectId" params={{ projectId: project.id }} title={text.project}>
          {project.name}
        </Link>
      )}
      {agent === null ? null : (
        <span>
          <span className="soft">{text.agent}</span>{' '}
          <Link to="/operator/agents/$agentId" params={{ agentId: agent.id }}>
            {agent.name}
          </Link>
        </span>
      )}
      {poster === null ? null : (
        <span>
          <span className="soft">{text.poster}</span>{' '}
          <Link to="/operator/posters/$posterId" params={{ posterId: poster.id }}>
            {poster.name}
          </Link>
        </span>
      )}
    </span>
  );
}
