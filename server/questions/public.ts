// questions/ offers the newest questions about a project. The rest is private.

export { newestQuestions } from './list-questions.ts';
