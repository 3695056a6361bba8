// What ai/ offers to other folders; everything else in it is private.

export { dearestTokens } from './token-budget.ts';
