import { poster } from '../../messages/public.ts';
import type { DraftField } from './draft-values.ts';

export function namesOf(fields: DraftField[]): string {
  return fields.map((field) => poster.draft.named[field]).join(', ');
}
