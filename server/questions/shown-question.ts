import { DomainError } from '../../contract/basics/errors.ts';
import type { QuestionRow } from './queries.ts';
import { snakeCased } from '../snake-case.ts';

/** Returns a question as answers of the service show it. The public's schema leaves `hidden` out. */
export function shownQuestion(row: QuestionRow) {
  return {
    ...snakeCased(row),
    asked_at: row.createdAt,
    hidden:
      row.hiddenAt === null || row.hiddenReason === null ? null : { reason: row.hiddenReason, hidden_at: row.hiddenAt },
  };
}

/** Returns the one error for a missing question and for one of another project. */
export function questionNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'No such question.');
}
