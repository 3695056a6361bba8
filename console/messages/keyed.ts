import { plural } from './shell.ts';

/** What the areas that are opened with a key have in common. */
export const keyed = {
  key: 'Key',
  open: 'Open',
  kept: 'It is kept in the memory of this page alone: a reload forgets it.',
  wrong: 'The service does not know this key. Copy it whole, without spaces.',
  needed: 'Paste the key',
  over: 'The key is not valid any more. Paste the one that replaced it.',
  forget: 'Forget the key',
  sections: (area: string) => `${area}: sections`,
  filter: 'Filter',
  all: 'All',
  clear: 'Clear the filters',
  shown: (rows: number, more: boolean) => `${plural(rows, 'line', 'lines')}${more ? ' so far' : ''}`,
  none: 'Nothing here',
  noMatch: { title: 'Nothing matches', text: 'Take a filter away.' },
  reason: 'Reason',
  reasonHint: 'It stays in the audit trail.',
  never: 'Never',
  ago: (span: string) => `${span} ago`,
  now: 'just now',
  close: 'Close',
  actions: 'Actions',
  live: 'Shown as it is now; it keeps itself up to date.',
};
