// entries/confirmation/ offers confirmations and the inspections behind them. The rest is private.

// The inspections of a process, the job that resumes those of others, and the number of those that wait.
export { countInspecting } from './inspection-queries.ts';
export { createInspections, INSPECTION_TIMES } from './inspections.ts';
export { resumeInspections } from './resume-inspections.ts';
// Whether a project waits for an inspection, for judging.
export { inspectionsWait } from './inspections-wait.ts';
