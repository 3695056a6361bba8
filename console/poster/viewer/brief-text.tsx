import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/public.ts';
import { BriefPictures } from '../../components/public.ts';
import { briefParts, market } from '../../messages/public.ts';
import type { OwnProject } from '../account/own-projects.ts';

const { fields } = market.project;
// The URLs of the pictures expire.
const EVERY_MS = 60_000;

/** The brief as its poster wrote it. React escapes it, and URLs in it are text. */
export function BriefText({ project }: { project: OwnProject }) {
  const parts = [
    ...briefParts.map(
      ([field, label]) => [label, [project[field]].flat().join(field === 'color_preferences' ? ', ' : '\n')] as const,
    ),
    [fields.tags, project.metadata.tags.join(', ')],
  ] as const;
  return (
    <div className="stack">
      <p className="words">{project.description}</p>
      {project.item_count > 1 ? <p>{fields.items({ amount: project.item_count })}</p> : null}
      {parts.map(([title, body]) =>
        body === '' ? null : (
          <div key={title}>
            <h3 className="sub">{title}</h3>
            <p className="words">{body}</p>
          </div>
        ),
      )}
      {project.published_at === null ? null : <Pictures projectId={project.id} />}
    </div>
  );
}

/** The reference pictures, which only the public view of a project contains. */
function Pictures({ projectId }: { projectId: string }) {
  const route = 'GET /projects/{project_id}';
  const { data } = useQuery(apiQuery(route, { params: { project_id: projectId } }, { everyMs: EVERY_MS }));
  return <BriefPictures pictures={data?.project.reference_pictures ?? []} />;
}
