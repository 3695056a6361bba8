// views/questions/ offers these names to other folders; everything else in it is private.

export { allQuestionRoutes } from './routes.ts';
