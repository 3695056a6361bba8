import type { z } from 'zod';
import type { parties as partiesSchema } from '../../../contract/basics/parties.ts';
import type { PartyRow } from './party-queries.ts';

export type Parties = z.input<typeof partiesSchema>;

export const NOBODY: Parties = { project: null, agent: null, poster: null };

/** Returns a function that gives the parties of each row by its id. */
export function partiesBy(rows: PartyRow[]): (id: string) => Parties {
  const byId = new Map(rows.map((row) => [row.id, shown(row)]));
  return (id) => byId.get(id) ?? NOBODY;
}

function shown(row: PartyRow): Parties {
  return {
    project: party(row.projectId, row.title),
    agent: party(row.agentId, row.agentName),
    poster: party(row.posterId, row.posterName),
  };
}

function party(id: string | null, name: string | null): Parties['agent'] {
  return id === null ? null : { id, name: name ?? '' };
}
