// What http/openapi/ offers to other folders; everything else in it is private.

export { mountReference } from './reference.ts';
