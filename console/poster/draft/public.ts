/**
 * The form of a draft, and publishing: what it costs, the payment, its progress.
 */
export { bodyValue, changedFields, flawsOf, valuesOf } from './draft-values.ts';
export { draftRoute } from './routes.ts';
