/** The area of the operators, who sign in with their own keys or with OPERATOR_KEY. */
export { operatorArea } from './routes.ts';
