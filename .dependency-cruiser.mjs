// The import rules. docs/architecture.md says them in words, and scripts/rules/ shows each rule stop something.
import { domains, reads } from './scripts/rules/domains.mjs';

const otherFolders = ['command', 'db', 'devnet', 'http', 'jobs', 'migrations', 'settings'];

const inReads = `^server/(?:${reads.join('|')})/`;
/** The files of one domain, without its folders of reads. */
const filesOf = (domain) => `^server/(?!(?:${reads.join('|')})/)${domain}/`;
const inDomains = `^server/(?:${domains.join('|')})/`;
const main = '^server/(?:database-parts|main|command/[^/]+)[.]ts$';
/** The composition root: main builds the outside world, service builds the domains on it, and service-jobs lists their jobs. */
const composition = '^server/(?:database-parts|derived-parts|main|routes|service|service-jobs|command/[^/]+)[.]ts$';
/** A `*-suite.ts` file holds the cases that the tests of every driver run. */
const tests = '(?:[.]test|-suite)[.]ts$';
const around = '^(?:test|bench|scripts)/';
/** Parts that only main.ts builds or loads on demand. */
const loadedByMain = ['^server/db/(?:pool|migrate)[.]ts$'];
/** The types that a domain shares with every layer: what has two drivers or a fake, and what is in Deps. */
const types = '^server/(?:db/database|[^/]+/types)[.]ts$';
/** Files that another folder may import: public files, types, and files with a rule of their own. */
const open = ['^server/[^/]+/public[.]ts$', types, inReads, ...loadedByMain];
/** A domain's statements may fill several files, such as `search-queries.ts`. */
const queries = '^server/.+/[^/]*queries[^/]*[.]ts$';

const domainOrder = domains.slice(0, -1).map((domain, index) => ({
  name: `${domain}-calls-only-earlier-domains`,
  comment: `The order: ${domains.join(', ')}. A domain that must trigger a later one is handed a function at composition.`,
  severity: 'error',
  from: { path: filesOf(domain), pathNot: [tests, types] },
  to: { path: domains.slice(index + 1).map(filesOf), pathNot: types },
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
    name: 'cli-is-a-package-of-its-own',
    comment:
      'Its users install it without the rest of this repository. It carries the SDK, and sees its public face only.',
    severity: 'error',
    from: { path: '^cli/', pathNot: tests },
    to: { path: '^(?:contract|sdk|console|demo|bench|scripts|test)/', pathNot: '^sdk/src/index[.]ts$' },
  },
  {
    name: 'sdk-is-a-package-of-its-own',
    comment:
      'Its users install it without the rest of this repository, and scripts/sdk-types.ts writes out the types. Only a private key needs viem, on demand.',
    severity: 'error',
    from: { path: '^sdk/', pathNot: tests },
    to: {
      path: ['^(?:contract|cli|console|demo|bench|scripts|test)/', '(?:^|/)node_modules/(?!viem/)'],
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'demo-is-a-client',
    comment:
      'The demo shows what users can build: it sees the public face of the SDK, and the contract for the operator.',
    severity: 'error',
    from: { path: '^demo/', pathNot: tests },
    to: { path: '^(?:sdk|cli|console|bench|scripts|test)/', pathNot: '^sdk/src/index[.]ts$' },
  },
  {
    name: 'console-is-a-client',
    comment:
      'The console takes the contract only. What it needs of a package for programs, it would load into every browser.',
    severity: 'error',
    from: { path: '^console/', pathNot: tests },
    to: { path: '^(?:sdk|cli|demo|bench|scripts|test)/' },
  },
  {
    name: 'server-knows-no-client',
    severity: 'error',
    from: { path: '^server/' },
    to: { path: '^(?:sdk|cli|console|bench|scripts)/', pathNot: '^console/messages/en[.]json$' },
  },
  {
    name: 'no-test-code-in-the-product',
    severity: 'error',
    from: { pathNot: [tests, around] },
    to: { path: [tests, '^test/'] },
  },
  {
    name: 'domains-are-private',
    comment:
      'Import public.ts of the other domain: it states what that domain offers. Within a domain, import the file.',
    severity: 'error',
    from: { path: '^server/([^/]+)/.+[.]ts$', pathNot: tests },
    to: { path: '^server/[^/]+/', pathNot: ['^server/$1/', ...open] },
  },
  {
    name: 'no-public-file-inside-a-domain',
    comment: 'A domain has one public file, in its top folder.',
    severity: 'error',
    from: {},
    to: { path: '^(?:server|console)/[^/]+/.+/public[.]ts$' },
  },
  {
    name: 'domains-are-private-to-the-root',
    comment: 'The composition root imports public.ts too. routes.ts pairs every operation with its verb.',
    severity: 'error',
    from: { path: '^server/[^/]+[.]ts$', pathNot: [tests, '^server/routes[.]ts$'] },
    to: { path: '^server/[^/]+/', pathNot: open },
  },
  {
    name: 'loaded-by-main-only',
    comment: 'These parts are built once, or are loaded on demand because they are slow to load.',
    severity: 'error',
    from: { path: '^server/', pathNot: [main, tests, '^server/db/'] },
    to: { path: loadedByMain },
  },
  {
    name: 'public-files-only-for-others',
    comment: 'A file imports its own domain directly: through public.ts it would import itself.',
    severity: 'error',
    from: { path: '^(server|console)/([^/]+)/.+[.]tsx?$', pathNot: tests },
    to: { path: '^$1/$2/public[.]ts$' },
  },
  {
    name: 'queries-are-private-to-domains',
    comment: 'Tests and scripts call verbs and steps; bench/ measures statements as they are.',
    severity: 'error',
    from: { path: '^(?:test|scripts)/' },
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
    name: 'reads-lie-above-the-domains',
    comment: 'A read calls every domain. So only other reads, http/ and routes.ts call a read.',
    severity: 'error',
    from: { path: inDomains, pathNot: [inReads, tests] },
    to: { path: inReads },
  },
  {
    name: 'domains-lie-below-http-and-jobs',
    severity: 'error',
    from: { path: [inDomains, '^server/db/'], pathNot: tests },
    to: { path: ['^server/(?:http|jobs)/', composition] },
  },
  {
    name: 'composition-is-above',
    comment: 'The composition root puts the edge together, and hands it what it needs.',
    severity: 'error',
    from: { path: '^server/(?:http|jobs|devnet)/', pathNot: tests },
    to: { path: composition },
  },
  {
    name: 'common-ground-knows-no-domain',
    comment: 'db/, settings/ and server/*.ts lie below every domain. Only the types of a domain are free.',
    severity: 'error',
    from: { path: '^server/(?:(?:db|settings)/)?[^/]+[.]ts$', pathNot: [composition, tests] },
    to: { path: [inDomains, '^server/(?:devnet|http|jobs)/'], pathNot: types },
  },
  {
    name: 'types-are-the-lowest-layer',
    comment: 'The types of a domain name no more than the contract, the callers, and other types.',
    severity: 'error',
    from: { path: types },
    to: { path: '^server/', pathNot: [types, '^server/callers[.]ts$'] },
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
    name: 'driver-only-from-db',
    comment: 'db/ reads types, names statements, and tells lost connections from refused statements.',
    severity: 'error',
    from: { path: '^server/', pathNot: [tests, '^server/db/'] },
    to: { path: '(?:^|/)node_modules/pg/' },
  },
  {
    name: 'telemetry-only-from-main',
    comment: 'Loaded on demand: a service without traces loads nothing of the SDK.',
    severity: 'error',
    from: { path: '^server/', pathNot: [tests, '^server/telemetry[.]ts$'] },
    to: {
      path: ['^server/telemetry[.]ts$', '(?:^|/)node_modules/@opentelemetry/'],
      dependencyTypesNot: ['dynamic-import'],
    },
  },
  {
    name: 'console-folders-are-private',
    comment: 'Other top folders of the console import a folder’s public.ts only. Global style sheets are free.',
    severity: 'error',
    from: { path: '^console/(?:([^/]+)/.+|[^/]+)$' },
    to: {
      path: '^console/[^/]+/',
      pathNot: ['^console/$1/', '^console/[^/]+/public[.]ts$', '^console/styles/[^/]+[.]css$'],
    },
  },
  {
    name: 'no-dev-dependency-in-the-product',
    comment:
      'A production install (npm ci --omit=dev) lacks it. The console is bundled with what it imports; cli/ has a package.json of its own.',
    severity: 'error',
    from: { path: '^(?:contract|server|sdk)/', pathNot: tests },
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
      'Imports nothing and is imported by nothing. The plugin is loaded by .oxlintrc.json, what is public by the console’s page, and a `.page.js` by a test that runs it in a page.',
    severity: 'error',
    from: {
      orphan: true,
      pathNot: ['[.]d[.]ts$', '^scripts/rules/oxlint-plugin[.]mjs$', '^console/public/', '[.]page[.]js$'],
    },
    to: {},
  },
];

/** Folders are compared without tests and reads, which may use parts that lie above their domain, and without types. */
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
  // test/x402-v1, test/x402-clients, test/mcp-clients, and test/generated-clients are packages of their own, with their own
  // dependencies; the others are state and results of programs.
  exclude: {
    path: [
      '^test/(?:x402-v1|x402-clients|mcp-clients|generated-clients)/',
      '^(?:sdk|cli)/dist/',
      '^[.]concours/',
      '^demo-pictures/',
    ],
  },
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    conditionNames: ['node', 'import', 'types', 'default'],
    extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
  },
};

export const folders = {
  forbidden: folderRules,
  options: { ...options, exclude: { path: [...options.exclude.path, tests, types, inReads, around] } },
};

export default { forbidden: rules, options };
