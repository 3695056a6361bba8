import type { z } from 'zod';
import type { posterRecord } from '../../../contract/projects/poster-record.ts';
import type { Queryable } from '../../db/database.ts';

export type PosterRecord = z.input<typeof posterRecord>;

type PosterFigures = Omit<PosterRecord, 'id' | 'name' | 'since' | 'paid_out_micro'> & {
  /** Ids of the projects whose prize was awarded. */
  awarded: string[];
};

/** A median of fewer choices says nothing about the next one. */
const LEAST_CHOICES = 3;

/** Counts the newest 1,000 published projects. Index projects_poster; 1.6 ms for 1,000. */
export async function posterFigures(db: Queryable, posterId: string, now: Date): Promise<PosterFigures> {
  const [row] = await db<[PosterFigures]>`
    select count(*) as projects, count(*) filter (where status = 'completed') as completed,
      count(*) filter (where status = 'cancelled') as cancelled,
      count(*) filter (where status = 'cancelled' and no_winner_reason is not null) as no_winner,
      case when count(*) filter (where selection = 'poster') >= ${LEAST_CHOICES} then
        round(percentile_cont(0.5) within group (order by extract(epoch from awarded_at - closed_at)::float8)
          filter (where selection = 'poster'))::integer
      end as median_choice_seconds,
      coalesce(array_agg(id) filter (where awarded_at is not null), '{}') as awarded
    from (
      select id, status, closed_at, awarded_at, selection, no_winner_reason from projects
      where poster_id = ${posterId} and published_at is not null and visible_at <= ${now}
      order by created_at desc, id desc limit 1000) recent`;
  return row;
}

/** Published projects with words that match a tsquery, in no order. Index projects_words. */
export async function listWithWords(db: Queryable, words: string, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from projects
    where published_at is not null
      and project_words(title, tags, description, requirements) @@ to_tsquery('simple', ${words}) limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** The newest public projects, in the order of ids, which is the order of time. Reads the primary key. */
export async function newestPages(db: Queryable, now: Date, limit: number): Promise<{ id: string; changedAt: Date }[]> {
  return await db<{ id: string; changedAt: Date }[]>`
    select id, updated_at as "changedAt" from projects
    where published_at is not null and visible_at <= ${now} order by id desc limit ${limit}`;
}

export type OpenBrief = {
  id: string;
  title: string;
  description: string;
  prizeMicro: number;
  entryFeeMicro: number;
  deadline: Date;
  visibleAt: Date;
  changedAt: Date;
};

/** The open projects that became visible last. Index projects_status_visible. */
export async function newestBriefs(db: Queryable, now: Date, limit: number): Promise<OpenBrief[]> {
  return await db<OpenBrief[]>`
    select id, title, description, prize_micro as "prizeMicro", entry_fee_micro as "entryFeeMicro",
      auto_select_deadline as deadline, visible_at as "visibleAt", updated_at as "changedAt"
    from projects where status = 'open' and published_at is not null and visible_at <= ${now} order by visible_at desc, id desc limit ${limit}`;
}
