import { DomainError } from '../../contract/basics/errors.ts';
import type { QuestionRow } from './queries.ts';

/** Returns a question in the form of responses. The public's schema leaves `hidden` out. */
export function shownQuestion(row: QuestionRow) {
  return {
    id: row.id,
    project_id: row.projectId,
    question: row.question,
    asked_at: row.createdAt,
    answer: row.answer,
    answered_at: row.answeredAt,
    answer_changed_at: row.answerChangedAt,
    hidden:
      row.hiddenAt === null || row.hiddenReason === null ? null : { reason: row.hiddenReason, hidden_at: row.hiddenAt },
  };
}

/** Returns the one error for a missing question and for one of another project. */
export function questionNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'No such question.');
}
