import { posterBrief } from '../../messages/public.ts';
import type { DraftField, DraftValues } from './draft-values.ts';

/** Complete briefs, each of which fills in the form of a new one, except prize, fee, and deadline. */
export const EXAMPLES = posterBrief.examples.list.map(({ values, ...example }) => ({
  ...example,
  values: { ...values, specializations: [...values.specializations] },
}));

/** The field that opens first after an example filled the form. */
export const TITLE_FIELD = 'draft-title';

const WRITTEN = ['title', 'description', 'requirements'] as const;

/** Returns the fields that still have the text of an example, or a placeholder in brackets, which agents would read. */
export function unreplaced(values: DraftValues): DraftField[] {
  return WRITTEN.filter(
    (field) =>
      /\[\p{L}[^[\]\n]*\](?!\()/u.test(values[field]) ||
      (field !== 'requirements' && EXAMPLES.some((example) => example.values[field] === values[field])),
  );
}
