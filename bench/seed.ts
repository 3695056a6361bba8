import { randomBytes } from 'node:crypto';
import { draftBody } from '../contract/projects/brief.ts';
import { createPool } from '../server/db/pool.ts';
import { issueKey } from '../server/keys/format.ts';
import type { Db } from '../server/db/database.ts';
import { canonicalTerms, openingTerms } from '../server/projects/terms/project-terms.ts';

export type SeededAgent = { id: string; key: string };

export type SeedOptions = {
  projects: number;
  agents: number;
  network: string;
  asset: string;
  payTo: string;
  /** False: without the texts of the terms, which no search reads. For 1,000,000 projects, they take 1.5 GB. */
  termsTexts?: boolean;
};

/** Inserts a year of projects, with a few large statements. Their texts are short, as in a list. */
export async function seedMarketplace(url: string, options: SeedOptions): Promise<SeededAgent[]> {
  const db = createPool({ url, connections: 1 });
  try {
    // The role's timeout is meant for requests, and seeding takes longer.
    await db`set statement_timeout = 0`;
    await db`select setseed(0.42)`;
    const agents = await seedAgents(db, options.agents);
    await seedProjects(db, options);
    await db`vacuum (analyze) projects, project_terms, agents, api_keys`;
    return agents;
  } finally {
    await db.end();
  }
}

async function seedAgents(db: Db, count: number): Promise<SeededAgent[]> {
  const keys = Array.from({ length: count }, () => issueKey('ck_test', randomBytes));
  const settings = { autoParticipate: false, maxConcurrentProjects: 25 };
  const rows = await db<{ id: string }[]>`
    insert into agents (id, name, description, specializations, tier, settings, created_at, last_active_at)
    select uuidv7(), 'Agent ' || n, 'Draws logos, posters and patterns for small teams, number ' || n,
      array['logo-design', 'poster-design'], case when n % 100 = 0 then 'elite' else 'pro' end, ${db.json(settings)}, now(), now()
    from generate_series(1, ${count}::int) n returning id`;
  await db`
    insert into api_keys (id, kind, account_id, scope, secret_hash, created_at)
    select key_id, 'agent', agent_id, 'owner', decode(hash, 'hex'), now()
    from unnest(${keys.map((key) => key.id)}::text[], ${rows.map((row) => row.id)}::uuid[], ${keys.map((key) => key.secretHash)}::text[])
      as k (key_id, agent_id, hash)`;
  return rows.map((row, index) => ({ id: row.id, key: keys[index]?.key ?? '' }));
}

async function seedProjects(db: Db, { projects, termsTexts = true, ...payment }: SeedOptions): Promise<void> {
  await db`
    insert into posters (id, name, created_at)
    select uuidv7(), 'Poster ' || n, now() - interval '2 years' from generate_series(1, 500) n
    on conflict do nothing`;
  await db.unsafe(projectsStatement({ projects, ...payment }));
  if (termsTexts)
    await db.unsafe(`
      insert into project_terms (project_id, version, canonical, hash, reason, created_at)
      select id, 1, ${TERMS}, terms_hash, 'opened', published_at from projects`);
}

const ADDRESS = `0x${'1'.repeat(40)}`;
const { canonical } = canonicalTerms(
  openingTerms({
    projectId: 'the id',
    brief: draftBody.parse({
      title: 'A title',
      description: 'A description of a brief for a logo.',
      prize_amount: 10,
      entry_fee: 0.25,
      specializations: ['logo-design'],
      auto_select_deadline: '2026-05-05T05:05:05.005Z',
    }),
    platformFeePpm: 50_000,
    winnerReceivesMicro: 9_500_000,
    network: 'eip155:84532',
    asset: ADDRESS,
    payTo: ADDRESS,
    referenceSha256s: [],
    latestDeadline: new Date('2026-05-06T05:05:05Z'),
    rules: {
      closeNoticeSeconds: 900,
      placeHoldSeconds: 1_800,
      confirmGraceSeconds: 30,
      extensionSeconds: 86_400,
      shareCapMicro: 2_500_000,
      holdSeconds: 86_400,
      aiJudge: true,
    },
  }),
);
/** The SQL of the terms of a row of `projects`. Their amounts are not those of the row, because nobody compares them. */
const TERMS = `replace('${canonical}', 'the id', id::text)`;

type ProjectsOptions = Omit<SeedOptions, 'agents' | 'termsTexts'>;

/**
 * Returns the statement that loads the projects. Times have the precision of their columns, because terms name them.
 * One project in ten is open. The first specializations of the catalog are common, and the last ones are rare.
 */
function projectsStatement({ projects, network, asset, payTo }: ProjectsOptions): string {
  return `
    insert into projects (id, poster_id, title, description, requirements, prize_micro, entry_fee_micro, platform_fee_ppm,
      specializations, item_count, style_references, color_preferences, size_requirements, tags, ai_analysis,
      auto_select_deadline, judging_hours, status, total_submissions, network, asset, pay_to, funding_wallet,
      created_at, updated_at, published_at, visible_at, completed_at,
      licence, terms_version, terms_hash, confirm_grace_seconds, latest_deadline)
    select *, 'assignment', 1, 'sha256:' || encode(sha256(convert_to(${TERMS}, 'UTF8')), 'hex'), 30,
      auto_select_deadline + interval '1 day' from (
      select uuidv7(made - now()) as id, poster, subject || ' for ' || customer as title,
        'We need ' || lower(subject) || ' for ' || customer || ', number ' || n || '.' as description, 'PNG, no text' as requirements,
        (1000 + floor(random() * 199000))::bigint * 10000 as prize_micro,
        (10 + floor(random() * 490))::bigint * 10000 as entry_fee_micro, 50000 as platform_fee_ppm,
        specs, 1 as item_count, '{}'::text[] as style_references, array['navy', 'sand'] as color_preferences,
        '1024x1024' as size_requirements, array['brand'] as tags,
        '{"complexity_score": 3.2, "estimated_hours": 4.5}'::jsonb as ai_analysis,
        (case when state = 'open' then now() + interval '30 days' else made + interval '7 days' end)::timestamptz(3)
          as auto_select_deadline,
        72 as judging_hours, state, (n % 13)::int as total_submissions,
        '${network}' as network, '${asset}' as asset, '${payTo}' as pay_to, '${ADDRESS}' as funding_wallet,
        made as created_at, made + interval '1 minute' as updated_at, made + interval '1 minute' as published_at,
        made + interval '1 minute' as visible_at,
        case when state in ('completed', 'cancelled') then made + interval '8 days' end as completed_at
      from (
        select n, now() - (${projects} - n) * (interval '1 year' / ${Math.max(1, projects)}) - interval '10 minutes' as made,
          case when n % 10 = 0 then 'open' when n % 10 = 1 then 'judging' when n % 10 = 2 then 'cancelled' else 'completed' end as state,
          (array['A logo', 'A poster', 'A book cover', 'A set of icons', 'A pattern', 'A mascot'])[1 + n % 6] as subject,
          (array['a bakery', 'a chess club', 'a bike shop', 'a small press', 'a rowing team', 'a tea house', 'a choir'])[1 + n % 7] as customer,
          posters[1 + n % cardinality(posters)] as poster,
          (select array_agg(distinct id) from (
            select ids[1 + floor(power(random(), 3) * cardinality(ids))::int] as id from generate_series(1, 1 + n % 4)) chosen) as specs
        from generate_series(1, ${projects}) n,
          (select array_agg(id) as posters from posters) p,
          (select array_agg(id order by id) as ids from specializations) s
      ) made_up
    ) as seeded`;
}
