import { call } from '../clients/client.ts';
import { brief, expectStatus, openProject, registerAgent } from '../clients/journey.ts';
import { newOperator } from '../clients/operators.ts';
import type { ConsoleWorld } from './console-world.ts';
import { seedOperator } from './console-operator-seed.ts';

// A market in which every text has its longest allowed length, and every amount its largest.

const WORDS =
  'Donaudampfschifffahrtsgesellschaftskapitän entwirft Rechtsschutzversicherungsgesellschaften unmissverständlich ';
const MAX_MICRO = 1_000_000 * 1_000_000;

/** Returns `length` characters with spaces between long words. */
export const words = (length: number) =>
  WORDS.repeat(Math.ceil(length / WORDS.length))
    .slice(0, length - 1)
    .trimEnd()
    .padEnd(length, 'x');
/** Returns `length` characters without a place to break. */
export const solid = (length: number) => 'Mw'.repeat(Math.ceil(length / 2)).slice(0, length);

/** The settings of a service with room for the longest texts and for many pages. */
export const MAXIMA_ENV = {
  SITE_NAME: words(60),
  PAYOUT_CAP_USDC: '100',
  QUESTIONS_PER_DAY: '10',
  ...Object.fromEntries(
    [
      'POSTER_PER_MINUTE',
      'PUBLIC_READS_PER_MINUTE',
      'AGENT_ACCOUNT_PER_MINUTE',
      'REGISTRATIONS_PER_HOUR',
      'SIGN_INS_PER_HOUR',
    ].map((name) => [`LIMIT_${name}`, '100000']),
  ),
};

export type Maxima = {
  completed: string;
  judging: string;
  open: string;
  cancelled: string;
  draft: string;
  /** Entries of the project in judging, and of the completed one. */
  entries: { judging: string[]; completed: string[] };
  agent: { id: string; key: string };
  poster: { id: string; key: string };
};

/** Seeds the market of the operator's tests, asks and answers a question, and makes everything as long as it may be. */
export async function seedMaxima(consoleWorld: ConsoleWorld, pictures: Buffer[]): Promise<Maxima> {
  const { world } = consoleWorld;
  const { url, operatorKey } = world;
  const { market, dear } = await seedOperator(consoleWorld, pictures);
  const [winner] = market.artists;
  const { poster } = market.completed;
  const open = market.open[0]!;
  const asks = await registerAgent(url, { agent_name: solid(100) });
  const path = `/agents/projects/${open.id}/questions`;
  for (const question of [words(500), solid(500)])
    expectStatus(await call(url, 'POST', path, { key: asks.key, body: { question } }), 201);
  const asked = expectStatus(
    await call(url, 'GET', `/posters/me/projects/${open.id}/questions`, { key: poster.key }),
    200,
  );
  const [{ id: question }] = asked.body.data.questions as [{ id: string }];
  const answerPath = `/posters/me/projects/${open.id}/questions/${question}/answer`;
  expectStatus(await call(url, 'POST', answerPath, { key: poster.key, body: { answer: words(2000) } }), 200);
  const cancelled = await openProject(world, { poster, prizeUsdc: 1, entryFeeUsdc: 0 });
  const reason = words(500);
  expectStatus(
    await call(url, 'POST', `/operator/projects/${cancelled.id}/cancel`, { key: operatorKey, body: { reason } }),
    200,
  );
  for (const status of ['limited', 'suspended']) {
    const body = { status, reason: solid(500) };
    expectStatus(await call(url, 'PUT', `/operator/agents/${asks.id}/status`, { key: operatorKey, body }), 200);
  }
  await newOperator({ url, operatorKey }, 'read', 'support', 'money', 'admin');
  const fields = brief({
    prizeUsdc: 1_000_000,
    entryFeeUsdc: 1_000_000,
    fields: { title: words(200), description: words(10_000) },
  });
  const draft = expectStatus(await call(url, 'POST', '/posters/me/projects', { key: poster.key, body: fields }), 201);
  const entriesOf = async (id: string) => {
    const listed = await call(url, 'GET', `/posters/me/projects/${id}/submissions`, { key: poster.key });
    return (expectStatus(listed, 200).body.data.submissions as { id: string }[]).map((entry) => entry.id);
  };
  const entries = {
    judging: await entriesOf(market.judging.id),
    completed: await entriesOf(market.completed.id),
  };
  await stretch(consoleWorld);
  return {
    entries,
    completed: market.completed.id,
    judging: market.judging.id,
    open: open.id,
    cancelled: cancelled.id,
    draft: draft.body.data.project.id,
    agent: { id: winner!.id, key: winner!.key },
    poster: { id: dear.poster.id, key: poster.key },
  };
}

/** Fills the tables. The API takes the same texts; amounts of this size would need as much money. */
async function stretch({ world }: ConsoleWorld): Promise<void> {
  const { db } = world.service.deps;
  await db.begin(async (tx) => {
    // The rules about money are triggers, and they forbid exactly this.
    await tx`set local session_replication_role = replica`;
    await tx`update projects set prize_micro = ${MAX_MICRO}, entry_fee_micro = ${MAX_MICRO} where status <> 'draft'`;
    await tx`update payments set amount_micro = ${MAX_MICRO}`;
    await tx`update payouts set amount_micro = ${MAX_MICRO}`;
    await tx`update submissions set earnings_micro = ${MAX_MICRO} where outcome in ('won', 'shared')`;
    await tx`update submissions set entry_fee_paid_micro = ${MAX_MICRO}`;
    await tx`update agents set earned_micro = ${MAX_MICRO}, pending_micro = ${MAX_MICRO} where total_wins > 0`;
  });
  const tags = Array.from({ length: 20 }, (_, index) => `${index}${solid(50)}`.slice(0, 50));
  await db`
    update projects set title = case when created_at::text < id::text then ${solid(200)} else ${words(200)} end,
      description = ${words(10_000)}, requirements = ${`${solid(500)} ${words(9499)}`}, size_requirements = ${words(500)},
      tags = ${tags}, style_references = ${[`https://example.org/${solid(900)}`, words(900)]},
      color_preferences = ${[words(90), solid(90), '#aabbcc', 'navy']}
    where status <> 'draft'`;
  await db`
    update agents set name = left(${solid(100)}, 97) || right(id::text, 3), description = ${words(5000)}
    where name <> ${solid(100)}`;
  await db`update posters set name = ${words(100)}`;
  await db`update submissions set title = left(${words(200)}, 190) || right(id::text, 10), description = ${words(2000)}`;
  await db`update submissions set feedback = ${`${solid(300)} ${words(1699)}`} where score is not null`;
}
