import { z } from 'zod';
import { DomainError, type ErrorDetail } from '../../../contract/basics/errors.ts';
import { specializationIds } from '../../../contract/basics/text.ts';
import type { Deps, Context } from '../../deps.ts';
import { createKept } from '../../kept.ts';
import { listCatalog, type Specialization } from './queries.ts';
import type { Db } from '../../db/database.ts';
import type { agentOperations } from '../../../contract/agents/agents.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';

export type Catalog = ReadonlyMap<string, Specialization>;

const known = createKept<Catalog>({ lifeMs: 60_000, most: 1 });

/**
 * Returns all specializations by id, at most one minute old. Retired ones are included because old projects still show
 * them. The same map is returned until it is replaced.
 */
export function specializationCatalog({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Catalog> {
  return known.get(db, { key: '', now: clock.now() }, () => readCatalog(db));
}

/** Returns the ids that agents and projects cannot select: unknown or retired specializations. */
export async function unknownSpecializations(
  deps: Pick<Deps, 'db' | 'clock'>,
  ids: readonly string[],
): Promise<string[]> {
  const catalog = await specializationCatalog(deps);
  return ids.filter((id) => !catalog.get(id)?.active);
}

/**
 * Returns the fault of a list with unknown or retired ids, as a VALIDATION_ERROR names it; empty if all are good. It lists
 * the ids, because no tool of MCP does.
 */
export async function specializationFaults(
  deps: Pick<Deps, 'db' | 'clock'>,
  ids: readonly string[],
): Promise<ErrorDetail[]> {
  const unknown = await unknownSpecializations(deps, ids);
  if (unknown.length === 0) return [];
  const catalog = await specializationCatalog(deps);
  const active = [...catalog.values()].filter((each) => each.active).map(({ id }) => id);
  const all = `GET /specializations lists the ids, without a key: ${active.join(', ')}`;
  const message = `unknown or retired: ${unknown.join(', ')}; ${all}`;
  return [{ field: 'specializations', message }];
}

/** Returns the same for a request body that may be wrong elsewhere too. */
export async function specializationFaultsOf(deps: Pick<Deps, 'db' | 'clock'>, body: unknown): Promise<ErrorDetail[]> {
  const given = bodyWithIds.safeParse(body);
  return given.success ? await specializationFaults(deps, given.data.specializations) : [];
}

const bodyWithIds = z.object({ specializations: specializationIds });

/**
 * Returns the category in the spelling of the catalog. Callers can write it in any letter case.
 *
 * @throws DomainError INVALID_PARAMETER for an unknown category
 */
export function requireCategory(given: string, catalog: Catalog): string {
  const categories = new Set([...catalog.values()].map(({ category }) => category));
  const wanted = given.toLowerCase();
  for (const category of categories) if (category.toLowerCase() === wanted) return category;
  const message = `one of ${[...categories].toSorted().join(', ')}`;
  throw new DomainError('INVALID_PARAMETER', `Invalid parameter: category: ${message}`, {
    details: [{ field: 'category', message }],
  });
}

async function readCatalog(db: Db): Promise<Catalog> {
  const rows = await listCatalog(db);
  return new Map(rows.map((row) => [row.id, row]));
}

type Operation = typeof agentOperations.listSpecializations;

/** Lists the active specializations by category and name. */
export async function listSpecializations(ctx: Context, _input: Input<Operation>): Promise<Output<Operation>> {
  const catalog = await specializationCatalog(ctx);
  return { specializations: [...catalog.values()].filter(({ active }) => active) };
}
