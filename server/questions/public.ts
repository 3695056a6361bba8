// The public interface of questions/. Everything else in it is private.

// HTTP operations that change a question.
export { questionRoutes } from './routes.ts';

// Questions as rows and as responses, for their lists in views/.
export { questionColumns, type QuestionRow } from './queries.ts';
export { shownQuestion } from './shown-question.ts';
