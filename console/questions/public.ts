/** Questions about a brief with their answers, as every area shows them. */
export { QuestionList } from './question-list.tsx';
