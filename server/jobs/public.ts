// Recurring jobs: the public interface of jobs/.

export { createJobStates } from './job-states.ts';
export { type Job, startJobs } from './timers.ts';
export { createDependencyWatch, WATCH_EVERY_MS } from './watch-dependencies.ts';
