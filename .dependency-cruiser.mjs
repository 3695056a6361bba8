// Who may import whom; docs/architecture.md says it in words, scripts/rules/ shows each rule stop something.

/** Each domain may call only those to its left. A new domain takes its place here. */
const domains = [
  'ai',
  'storage',
  'keys',
  'idempotency',
  'audit',
  'ledger',
  'webhooks',
  'agents',
  'posters',
  'payments',
  'payouts',
  'projects',
  'submissions',
  'judging',
  'operator',
];
const otherFolders = ['db', 'devnet', 'http', 'jobs', 'migrations'];

const inDomains = `^server/(?:${domains.join('|')})/`;
const main = '^server/main[.]ts$';
/** Where the parts are put together: main builds the outside world, service the domains upon it. */
const composition = '^server/(?:main|service)[.]ts$';
/** `storage-suite.ts` holds the cases that every driver's test runs. */
const tests = '(?:[.]test|-suite)[.]ts$';
const around = '^(?:test|bench|scripts)/';
/** Also where a domain's statements fill several files: `search-queries.ts`. */
const queries = '^server/.+/[^/]*queries[^/]*[.]ts$';

const domainOrder = domains.slice(0, -1).map((domain, index) => ({
  name: `${domain}-calls-only-to-its-left`,
  comment: `Left to right: ${domains.join(', ')}. Where the left must wake the right, the right hands it a function at composition.`,
  severity: 'error',
  from: { path: `^server/${domain}/`, pathNot: tests },
  to: { path: `^server/(?:${domains.slice(index + 1).join('|')})/` },
}));

const rules = [
  {
    name: 'no-circle-of-files',
    comment: 'Types count too: files that need each other are one idea in two places.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'contract-imports-zod-only',
    comment: 'Clients take the contract with them; whatever it imports, they carry.',
    severity: 'error',
    from: { path: '^contract/', pathNot: tests },
    to: { pathNot: ['^contract/', '(?:^|/)node_modules/zod/'] },
  },
  {
    name: 'clients-know-the-contract-only',
    comment: 'Only the server and what runs around it (tests, bench, scripts) may import the server.',
    severity: 'error',
    from: { pathNot: ['^server/', around] },
    to: { path: '^server/' },
  },
  {
    name: 'server-knows-no-client',
    severity: 'error',
    from: { path: '^server/' },
    to: { path: '^(?:sdk|cli|mcp|console|bench|scripts)/' },
  },
  {
    name: 'no-test-code-in-the-product',
    severity: 'error',
    from: { pathNot: [tests, around] },
    to: { path: [tests, '^test/'] },
  },
  {
    name: 'queries-are-private',
    comment: 'A table is written only by its owner: call the verb or step of that domain.',
    severity: 'error',
    from: { path: '^server/([^/]+)/' },
    to: { path: queries, pathNot: '^server/$1/' },
  },
  {
    name: 'queries-are-private-to-domains',
    comment:
      'Neither the composition root nor tests and scripts reach into a domain’s statements; bench/ measures them as they are.',
    severity: 'error',
    from: { pathNot: ['^server/[^/]+/', '^bench/'] },
    to: { path: queries },
  },
  {
    name: 'folder-without-a-place',
    comment: 'A new folder of the server takes its place in the order of domains, in .dependency-cruiser.mjs.',
    severity: 'error',
    from: { path: '^server/[^/]+/', pathNot: `^server/(?:${[...domains, ...otherFolders].join('|')})/` },
    to: {},
  },
  ...domainOrder,
  {
    name: 'domains-lie-below-http-and-jobs',
    severity: 'error',
    from: { path: [inDomains, '^server/db/'], pathNot: tests },
    to: { path: ['^server/(?:http|jobs)/', composition] },
  },
  {
    name: 'common-ground-knows-no-domain',
    comment: 'server/*.ts and db/ are used by every domain. deps.ts names their ports, as types.',
    severity: 'error',
    from: { path: '^server/(?:db/)?[^/]+[.]ts$', pathNot: [composition, tests] },
    to: { path: [inDomains, '^server/(?:devnet|http|jobs)/'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'devnet-only-from-main',
    comment: 'Production must not be able to fall back to an embedded part.',
    severity: 'error',
    from: { pathNot: [main, '^server/devnet/', tests, around] },
    to: { path: '^server/devnet/' },
  },
  {
    name: 'config-only-from-main',
    comment: 'Everyone else is handed its values in Deps; the type is free.',
    severity: 'error',
    from: { path: '^server/', pathNot: [main, '^server/devnet/', tests] },
    to: { path: '^server/config[.]ts$', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'pool-only-from-main',
    comment: 'One pool per process; everyone else is handed Deps.db or a transaction.',
    severity: 'error',
    from: { pathNot: [main, tests, around] },
    to: { path: '^server/db/pool[.]ts$' },
  },
  {
    name: 'driver-only-from-db',
    comment: 'db/driver.ts says why; an error of another copy of postgres.js is no PostgresError of this one.',
    severity: 'error',
    from: { path: '^server/', pathNot: tests },
    to: { path: '(?:^|/)node_modules/postgres/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'no-dev-dependency-in-the-product',
    comment: 'A production install (npm ci --omit=dev) lacks it. The console is bundled with what it imports.',
    severity: 'error',
    from: { path: '^(?:contract|server|sdk|cli|mcp)/', pathNot: tests },
    to: { dependencyTypes: ['npm-dev'] },
  },
  {
    name: 'imports-resolve',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
  {
    name: 'no-orphans',
    comment:
      'Imports nothing and is imported by nothing. The plugin is loaded by .oxlintrc.json, what is public by the console’s page.',
    severity: 'error',
    from: { orphan: true, pathNot: ['[.]d[.]ts$', '^scripts/rules/oxlint-plugin[.]mjs$', '^console/public/'] },
    to: {},
  },
];

/** Folders are compared without tests: a test beside its verb may use parts that lie above the verb. */
const folderRules = [
  {
    name: 'no-circle-of-folders',
    severity: 'error',
    scope: 'folder',
    from: {},
    to: { circular: true },
  },
];

const options = {
  // TypeScript 7 has no compiler API to parse with, and the other parsers read JavaScript only.
  parser: 'swc',
  doNotFollow: { path: 'node_modules' },
  // test/x402-v1 is a package of its own, with its own dependencies; the others are state and results.
  exclude: { path: ['^test/x402-v1/', '^[.]concours/', '^demo-pictures/'] },
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    conditionNames: ['node', 'import', 'types', 'default'],
    extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
  },
};

export const folders = {
  forbidden: folderRules,
  options: { ...options, exclude: { path: [...options.exclude.path, tests] } },
};

export default { forbidden: rules, options };
