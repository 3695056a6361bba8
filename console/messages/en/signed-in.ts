import { catalog } from '../catalog.ts';

/** Strings that the agent's and the operator's areas share. */
export default catalog({
  open: 'Sign in',
  kept: 'Your key is exchanged for a session, and is not stored. The session ends 30 minutes after your last action.',
  wrong: 'Unknown key. Copy the whole key, without spaces.',
  needed: 'Paste the key.',
  expired: 'You were signed out. Sign in again.',
  forget: 'Sign out',
  sections: '{area}: sections',
  filter: 'Filter',
  all: 'All',
  clear: 'Clear filters',
  shown:
    '{more, select, true {Showing {rows, number} results} other {{rows, plural, one {# result} other {# results}}}}',
  noMatch: { title: 'No results', text: 'Try removing a filter.' },
  offline: { title: 'You are offline', text: 'The data loads when the connection is back.' },
  old: 'Data from {at}. The last update failed: {why}.',
  reason: 'Reason (kept in the audit trail)',
  never: 'Never',
  ago: '{span} ago',
  ahead: 'in {span}',
  now: 'just now',
  soon: 'within a minute',
  close: 'Close',
});
