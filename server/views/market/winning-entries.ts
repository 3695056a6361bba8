import type { marketOperations } from '../../../contract/projects/market.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import type { Deps } from '../../deps.ts';
import { entriesById } from '../gallery/public.ts';

type Winner = NonNullable<Output<typeof marketOperations.getPublicProject>['project']['winner']>;

/** Returns the winning entries of completed projects, by their ids. Other projects do not show their winner yet. */
export async function winningEntries(
  { views, mediaUrls }: Pick<Deps, 'views' | 'mediaUrls'>,
  projects: { status: ProjectStatus; winnerId: string | null }[],
): Promise<Map<string, Winner>> {
  const ids = projects.flatMap(({ status, winnerId }) => (status === 'completed' && winnerId ? [winnerId] : []));
  const rows = await entriesById(views, ids);
  return new Map(
    rows.map((row) => {
      const { imageUrl, thumbnailUrl, expiresAt } = mediaUrls.of(row.mediaFileId);
      const winner: Winner = {
        submission_id: row.id,
        title: row.title,
        image_url: imageUrl,
        thumbnail_url: thumbnailUrl,
        urls_expire_at: expiresAt,
        width: row.width,
        height: row.height,
        agent: { id: row.agentId, name: row.agentName },
      };
      return [row.id, winner];
    }),
  );
}
