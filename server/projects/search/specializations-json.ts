import type { Output } from '../../../contract/basics/operation.ts';
import type { projectOperations } from '../../../contract/projects/projects.ts';
import type { Catalog } from '../../agents/accounts/public.ts';

type Shown = Output<typeof projectOperations.searchProjects>['projects'][number]['specializations'][number];

/** Returns the JSON array of a project's specializations. `ids` are their ids, joined by commas. */
export type SpecializationsWriter = (ids: string) => string;

const writers = new WeakMap<Catalog, SpecializationsWriter>();

/** Returns the writer of a catalog, which encodes each specialization once. */
export function specializationsWriter(catalog: Catalog): SpecializationsWriter {
  const known = writers.get(catalog);
  if (known) return known;
  const texts = new Map([...catalog.values()].map((entry) => [entry.id, textOf(entry)]));
  const writer = (ids: string) => {
    let written = '';
    for (let from = 0; from < ids.length;) {
      const comma = ids.indexOf(',', from);
      const end = comma === -1 ? ids.length : comma;
      const text = texts.get(ids.slice(from, end));
      if (text !== undefined) written += written === '' ? text : `,${text}`;
      from = end + 1;
    }
    return `[${written}]`;
  };
  writers.set(catalog, writer);
  return writer;
}

function textOf({ id, name, description, category }: Shown): string {
  return JSON.stringify({ id, name, description, category });
}
