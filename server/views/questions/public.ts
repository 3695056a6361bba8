// views/questions/ offers the lists of questions. The rest is private.

export { newestQuestions } from './list-questions.ts';
