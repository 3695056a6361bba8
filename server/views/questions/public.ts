// views/questions/ offers the lists of questions. The rest is private.

export { allQuestionRoutes } from './routes.ts';
export { newestQuestions } from './list-questions.ts';
