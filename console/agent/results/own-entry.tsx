import { Link } from '@tanstack/react-router';
import { sameOriginPath } from '../../api/public.ts';
import { owner } from '../../messages/public.ts';

type OwnEntryProps = { projectId: string; project: string; title: string; thumbnailUrl: string | null };

/** The first column of the agent's lists: picture, project, and title of an entry. */
export function OwnEntry({ projectId, project, title, thumbnailUrl }: OwnEntryProps) {
  return (
    <span className="stack tight cell">
      {thumbnailUrl ? (
        <img
          src={sameOriginPath(thumbnailUrl)}
          alt={owner.entries.picture({ title })}
          className="thumbnail"
          loading="lazy"
        />
      ) : null}
      <Link to="/projects/$projectId" params={{ projectId }}>
        {project}
      </Link>
      <span className="soft">{title}</span>
    </span>
  );
}
