import { questionOperations } from '../../../contract/projects/questions.ts';
import { questionRoutes } from '../../questions/public.ts';
import { serve } from '../../serve.ts';
import { listOwnQuestions, listProjectQuestions, listQuestions } from './list-questions.ts';

/** All operations on questions: their changes, and their lists. */
export const allQuestionRoutes = [
  ...questionRoutes,
  serve(questionOperations.listQuestions, listQuestions),
  serve(questionOperations.listOwnQuestions, listOwnQuestions),
  serve(questionOperations.listProjectQuestions, listProjectQuestions),
];
