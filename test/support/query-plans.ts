import postgres from 'postgres';
import type { Db } from '../../server/ports/database.ts';

export type Plan = { 'Node Type': string; 'Index Name'?: string; 'Actual Rows': number; Plans?: Plan[] };

/**
 * Returns the plan of the prepared statement of `read` that contains `marker`, with the number of rows that it read. Like
 * a connection that has run the statement often, it plans once for all values.
 */
export async function planOf(url: string, marker: string, read: (db: Db) => Promise<unknown>): Promise<Plan> {
  const statements: { text: string; values: unknown[] }[] = [];
  const spied = postgres(url, {
    max: 1,
    onnotice: () => {},
    debug: (_connection, text, values) => statements.push({ text, values }),
  }) as unknown as Db;
  await read(spied);
  const { text, values } = statements.find((each) => each.text.includes(marker))!;
  await spied.unsafe('set plan_cache_mode = force_generic_plan');
  await spied.unsafe(`prepare shown as ${text}`);
  const literals = values.map((value) => `'${String(value)}'`).join(', ');
  const [row] = await spied.unsafe<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
    `explain (analyze, format json) execute shown(${literals})`,
  );
  await spied.end();
  return row!['QUERY PLAN'][0]!.Plan;
}

export function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
