import type { Output } from '../../contract/operation.ts';
import type { projectOperations } from '../../contract/projects.ts';
import type { Catalogue } from '../agents/specializations.ts';

type Shown = Output<typeof projectOperations.searchProjects>['projects'][number]['specializations'];

/** By catalogue, then by ids joined by commas: projects choose the same few again and again. */
const written = new WeakMap<Catalogue, Map<string, string>>();
const MAX_WRITTEN = 5_000;

/** What a project shows of its specializations, as JSON. */
export function specializationsJson(ids: string, catalogue: Catalogue): string {
  const texts = written.get(catalogue) ?? new Map<string, string>();
  written.set(catalogue, texts);
  const before = texts.get(ids);
  if (before !== undefined) return before;
  const shown: Shown = ids.split(',').flatMap((specialization) => {
    const entry = catalogue.get(specialization);
    if (!entry) return [];
    const { id, name, description, category } = entry;
    return [{ id, name, description, category }];
  });
  const text = JSON.stringify(shown);
  if (texts.size < MAX_WRITTEN) texts.set(ids, text);
  return text;
}
