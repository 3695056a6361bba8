// What http/answers/ offers to other folders; everything else in it is private.

export { createDeadlines, type Deadlines } from './deadline.ts';
export { asDomainError, failureBody, failureHeaders, unavailable } from './errors.ts';
export { checkRendered } from './rendered.ts';
export { jsonHeaders, plainHeaders, type Answer } from './responses.ts';
