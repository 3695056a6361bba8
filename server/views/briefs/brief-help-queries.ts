import type { Queryable } from '../../ports/database.ts';

/** The newest completed projects that one answer looks at. */
const LOOKED_AT = 500;

export type SimilarFigures = {
  projects: number;
  /** Lower quartile, median, and upper quartile; null without projects. */
  prizes: number[] | null;
  entries: number[] | null;
};

/**
 * Counts the newest completed projects of a specialization. Walks the index project_listings_published, and looks each
 * project up by key: 4 to 7 ms with 200,000 completed projects.
 */
export async function similarFigures(
  db: Queryable,
  { specialization, itemCount }: { specialization: string; itemCount: number | null },
): Promise<SimilarFigures> {
  const [row] = await db<[SimilarFigures]>`
    select count(*) as projects,
      percentile_disc(array[0.25, 0.5, 0.75]) within group (order by p.prize_micro)::float8[] as prizes,
      percentile_cont(array[0.25, 0.5, 0.75]) within group (order by p.total_submissions) as entries
    from (
      select project_id from project_listings where spec_key = ${specialization} and status = 'completed'
      order by published_at desc, project_id desc limit ${LOOKED_AT}) l
    join projects p on p.id = l.project_id
    where ${itemCount}::integer is null or p.item_count = ${itemCount}`;
  return row;
}

export type Example = { specialization: string; id: string; title: string };

/** Lists the newest completed projects of each specialization. One walk of project_listings_published for each. */
export async function listExamples(
  db: Queryable,
  { specializations, now, limit }: { specializations: string[]; now: Date; limit: number },
): Promise<Example[]> {
  return await db<Example[]>`
    select s.id as specialization, p.id, p.title
    from unnest(${specializations}::text[]) as s (id)
    cross join lateral (
      select project_id, published_at from project_listings
      where spec_key = s.id and status = 'completed' and visible_at <= ${now}
      order by published_at desc, project_id desc limit ${limit}) l
    join projects p on p.id = l.project_id order by l.published_at desc, p.id desc`;
}
