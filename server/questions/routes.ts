import { questionOperations } from '../../contract/projects/questions.ts';
import { serve } from '../serve.ts';
import { answerQuestion } from './answer-question.ts';
import { askQuestion } from './ask-question.ts';
import { moderateQuestion } from './moderate-question.ts';

export const questionRoutes = [
  serve(questionOperations.askQuestion, askQuestion),
  serve(questionOperations.answerQuestion, answerQuestion),
  serve(questionOperations.moderateQuestion, moderateQuestion),
];
