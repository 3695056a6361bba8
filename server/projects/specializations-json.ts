import type { Output } from '../../contract/operation.ts';
import type { projectOperations } from '../../contract/projects.ts';
import type { Catalogue } from '../agents/specializations.ts';

type Shown = Output<typeof projectOperations.searchProjects>['projects'][number]['specializations'];

/** What a project shows of its specializations, as JSON, by their ids joined by commas. */
export type SpecializationsWriter = (ids: string) => string;

/** Projects choose the same few again and again, so that a catalogue's writer remembers what it wrote. */
const writers = new WeakMap<Catalogue, SpecializationsWriter>();
const MAX_WRITTEN = 5_000;

export function specializationsWriter(catalogue: Catalogue): SpecializationsWriter {
  const known = writers.get(catalogue);
  if (known) return known;
  const written = new Map<string, string>();
  const writer = (ids: string) => {
    const before = written.get(ids);
    if (before !== undefined) return before;
    const text = JSON.stringify(shownOf(ids, catalogue));
    if (written.size < MAX_WRITTEN) written.set(ids, text);
    return text;
  };
  writers.set(catalogue, writer);
  return writer;
}

function shownOf(ids: string, catalogue: Catalogue): Shown {
  return ids.split(',').flatMap((specialization) => {
    const entry = catalogue.get(specialization);
    if (!entry) return [];
    const { id, name, description, category } = entry;
    return [{ id, name, description, category }];
  });
}
