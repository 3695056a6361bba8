// Headers, error bodies, and deadlines of answers: the public interface of http/answers/.

export { createDeadline, createGuard, type Guarded, type WithDeadline } from './deadline.ts';
export { asDomainError, failureBody, failureHeaders, isDatabaseDown, unavailable } from './errors.ts';
export { jsonHeaders, plainHeaders, type HttpAnswer } from './responses.ts';
export { watchConnection } from './watch-connection.ts';
