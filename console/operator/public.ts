/**
 * The area of the operator, opened with the operator key.
 */
export { operatorArea } from './routes.ts';
