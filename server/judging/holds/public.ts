// judging/holds/ offers automatic results that wait before they are final, and the objections to them. The rest is private.

// Automatic results: put on hold, decided again, paid.
export { decideAgain, decideAutomatically, payHeld } from './hold-result.ts';

// Ends the objections of a project that a person decides.
export { lapseObjections } from './objection-queries.ts';

// Objections, for the views.
export { objectionPage } from './list-objections.ts';
export { objectionsOf } from './objections.ts';

// HTTP operations of objections and holds.
export { holdRoutes } from './routes.ts';
