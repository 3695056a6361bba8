/** The pages of the console behind a sign-in. `$` stands for an id. A test compares them with the console's routes. */
const PRIVATE_PAGES = [
  '/poster',
  '/poster/draft',
  '/poster/keys',
  '/poster/notifications',
  '/poster/projects/$',
  '/poster/projects/$/receipt',
  '/agent',
  '/agent/entries',
  '/agent/keys',
  '/agent/money',
  '/agent/notifications',
  '/agent/results',
  '/agent/settings',
  '/agent/wallet',
  '/operator',
  '/operator/audit',
  '/operator/deliveries',
  '/operator/deliveries/emails',
  '/operator/money',
  '/operator/money/payouts',
  '/operator/money/revenue',
  '/operator/money/strays',
  '/operator/people',
  '/operator/people/agents/$',
  '/operator/people/posters',
  '/operator/people/posters/$',
  '/operator/projects',
  '/operator/projects/$',
];

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const known = new Set(PRIVATE_PAGES);

/** Whether a path without a slash at its end is a page behind a sign-in. Its data is not public, so every id has one. */
export function isPrivatePage(path: string): boolean {
  return !path.includes('$') && known.has(path.replace(ID, '$').toLowerCase());
}
