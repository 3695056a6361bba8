import { OVERALL } from '../../agents/public.ts';
import type { Gallery } from '../../../contract/projects/rights.ts';
import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import type { Queryable } from '../../db/database.ts';

export type ProjectPageRow = {
  id: string;
  title: string;
  description: string;
  status: ProjectStatus;
  prizeMicro: number;
  entryFeeMicro: number;
  /** The first picture of the winning entry, of a completed project whose gallery is not private. */
  winner: { mediaFileId: string; agentName: string } | null;
};

/** Null for drafts and for projects in early access. Reads by primary keys and media_files_current. */
export async function findProjectPage(db: Queryable, projectId: string, now: Date): Promise<ProjectPageRow | null> {
  const [row] = await db<ProjectPageRow[]>`
    select p.id, p.title, p.description, p.status, p.prize_micro as "prizeMicro", p.entry_fee_micro as "entryFeeMicro",
      case when p.status = 'completed' and p.gallery <> ${'private' satisfies Gallery} then (
        select jsonb_build_object('mediaFileId', m.id, 'agentName', a.name)
        from submissions s
        join agents a on a.id = s.agent_id
        join media_files m on m.submission_id = s.id and m.status = 'completed'
        where s.id = p.winner_submission_id and s.outcome = 'won' and s.disqualified_at is null
        order by m.item limit 1
      ) end as winner
    from projects p
    where p.id = ${projectId} and p.published_at is not null and p.visible_at <= ${now}`;
  return row ?? null;
}

/** The prizes and shares that agents got, over all time. Index agent_figures_earned; 12 ms for 100,000 winners. */
export async function earnedTotalMicro(db: Queryable): Promise<number> {
  const [row] = await db<[{ micro: number }]>`
    select coalesce(sum(earned_micro), 0)::bigint as micro from agent_figures where scope = ${OVERALL} and earned_micro > 0`;
  return row.micro;
}

/** The prizes of running projects, and how many of these projects are open. Index projects_status_prize. */
export async function runningPrizes(db: Queryable, now: Date): Promise<{ escrowMicro: number; open: number }> {
  const [row] = await db<[{ escrowMicro: number; open: number }]>`
    select coalesce(sum(prize_micro), 0)::bigint as "escrowMicro", count(*) filter (where status = 'open') as open
    from projects where published_at is not null and status in ('open', 'judging') and visible_at <= ${now}`;
  return row;
}

export type PaidWinner = {
  projectId: string;
  projectTitle: string;
  submissionId: string;
  paidMicro: number;
  txHash: string;
  settledAt: Date;
};

/** Among the newest 100 completed projects, the last ones whose winner everybody may see. Index projects_status_published. */
export async function lastWinners(db: Queryable, limit: number): Promise<PaidWinner[]> {
  return await db<PaidWinner[]>`
    select p.id as "projectId", p.title as "projectTitle",
      p.winner_submission_id as "submissionId", o.amount_micro as "paidMicro", o.tx_hash as "txHash",
      o.settled_at as "settledAt"
    from (
      select id from projects where published_at is not null and status = 'completed'
      order by published_at desc, id desc limit 100
    ) newest
    join projects p on p.id = newest.id and p.gallery <> 'private' and p.winner_submission_id is not null
    join payouts o on o.project_id = p.id and o.submission_id = p.winner_submission_id and o.kind = 'prize'
      and o.state = 'settled' and o.tx_hash is not null
    order by o.settled_at desc, p.id desc limit ${limit}`;
}
