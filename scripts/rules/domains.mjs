/** Each domain may call only the domains above it in this list. A new domain takes its place here. */
export const domains = [
  'storage',
  'signing',
  'idempotency',
  'events',
  'audit',
  'keys',
  'operators',
  'chain',
  'ledger',
  'pictures',
  'webhooks',
  'mail',
  'agents',
  'posters',
  'x402',
  'payments',
  'payouts',
  'projects',
  'entries',
  'questions',
  'judging',
  'reconciliation',
  'delivery',
];

/** Folders of answers that need later domains than their own. They may call every domain; no domain calls them. */
export const reads = ['agents/profiles', 'projects/market', 'projects/own', 'operators/desk'];
