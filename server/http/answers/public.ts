// What http/answers/ offers to other folders; everything else in it is private.

export { createDeadline, type WithDeadline } from './deadline.ts';
export { asDomainError, failureBody, failureHeaders, unavailable } from './errors.ts';
export { jsonHeaders, plainHeaders, type Answer } from './responses.ts';
