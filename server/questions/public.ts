// questions/ offers the operations that change a question, and questions as rows and as answers for the views. The rest is
// private.

// Questions as rows and as responses, for their lists in views/.
export { questionColumns, type QuestionRow } from './queries.ts';
export { shownQuestion } from './shown-question.ts';
