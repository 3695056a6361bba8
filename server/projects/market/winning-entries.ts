import type { marketOperations } from '../../../contract/projects/market.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import type { Deps } from '../../deps.ts';
import { entriesById, picturesOf } from '../../judging/public.ts';

type Winner = NonNullable<Output<typeof marketOperations.getPublicProject>['project']['winner']>;

/**
 * Returns the winning entries of completed projects, by their ids. Other projects do not show their winner yet, and private
 * galleries never do.
 */
export async function winningEntries(
  { reads, mediaUrls }: Pick<Deps, 'reads' | 'mediaUrls'>,
  projects: { status: ProjectStatus; winnerId: string | null }[],
): Promise<Map<string, Winner>> {
  const ids = projects.flatMap(({ status, winnerId }) => (status === 'completed' && winnerId ? [winnerId] : []));
  const rows = await entriesById(reads, ids);
  return new Map(
    rows.flatMap((row) => {
      const pictures = row.gallery === 'private' ? null : picturesOf(mediaUrls, row);
      if (!pictures) return [];
      const { items: _, content_type: _type, size_bytes: _size, ...leading } = pictures;
      const winner: Winner = {
        submission_id: row.id,
        title: row.title,
        ...leading,
        agent: { id: row.agentId, name: row.agentName },
      };
      return [[row.id, winner]];
    }),
  );
}
