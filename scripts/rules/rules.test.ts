import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { plant, root, run } from './planted-tree.ts';

type Cruise = { summary: { violations: { rule: { name: string }; from: string; to: string }[] } };

/** Returns each violation as `rule: from -> to`. A cycle of files appears once. */
async function cruise(config: string, tree: string): Promise<string[]> {
  const args = ['--config', join(root, config), '--output-type', 'json', '.'];
  const { summary } = (await run('dependency-cruiser/bin/dependency-cruiser.mjs', args, tree)) as Cruise;
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).toSorted();
}

const uses = (...paths: string[]): string => paths.map((path) => `import '${path}';\n`).join('');

/** The order of domains, repeated here so that every change of the order is deliberate. */
const domains =
  'storage signing idempotency events audit keys operators chain ledger pictures webhooks mail agents posters x402 payments payouts projects entries questions judging reconciliation delivery'.split(
    ' ',
  );

const packages = {
  'package.json': JSON.stringify({
    dependencies: { zod: '4', hono: '4', pg: '8', '@opentelemetry/api': '1' },
    devDependencies: { 'fast-check': '4' },
  }),
  ...Object.fromEntries(
    ['zod', 'hono', 'pg', '@opentelemetry/api', 'fast-check'].flatMap((name) => [
      [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' })],
      [`node_modules/${name}/index.js`, 'module.exports = {};\n'],
    ]),
  ),
};

const allowedImports = {
  'contract/fine.ts': uses('zod', './basics/money.ts'),
  'contract/basics/money.ts': uses('zod'),
  'sdk/fine.ts': uses('./other.ts'),
  'sdk/other.ts': '',
  'sdk/src/index.ts': '',
  'cli/src/fine.ts': uses('../../sdk/src/index.ts'),
  'sdk/fine.test.ts': uses('./fine.ts', '../contract/basics/money.ts'),
  'console/main.ts': uses('./styles/base.css', './market/public.ts'),
  'console/styles/base.css': '',
  'console/market/public.ts': "export { market } from './market-page.ts';\n",
  'console/market/market-page.ts': "import '../components/public.ts';\nexport const market = true;\n",
  'console/components/public.ts': uses('./data/table.ts'),
  'console/components/data/table.ts': uses('zod'),
  'server/main.ts': uses('./config.ts', './devnet/public.ts', './db/pool.ts', './service.ts'),
  'server/config.ts': uses('zod'),
  'server/routes.ts': uses('zod'),
  'server/deps.ts': "import type { Config } from './config.ts';\nimport type { Chain } from './chain/types.ts';\n",
  'server/callers.ts': '',
  'server/chain/types.ts': uses('../db/database.ts', '../callers.ts', '../x402/types.ts'),
  'server/x402/types.ts': uses('../../contract/basics/money.ts'),
  'server/db/database.ts': '',
  'server/jobs/public.ts': uses('zod'),
  'server/devnet/public.ts': uses('./chain.ts'),
  'server/devnet/chain.ts': uses('../chain/public.ts', '../config.ts'),
  'server/db/pool.ts': uses('pg', '../deps.ts'),
  'server/http/public.ts': uses('./app.ts'),
  'server/http/app.ts': uses('hono', '../entries/public.ts'),
  'server/chain/public.ts': uses('./evm.ts'),
  'server/chain/evm.ts': uses('../../contract/basics/money.ts'),
  'server/projects/queries.ts': uses('../deps.ts'),
  'server/projects/public.ts': uses('./fine.ts', './queries.ts'),
  'server/projects/fine.ts': uses('./queries.ts'),
  'server/projects/search/fine.ts': uses('../fine.ts'),
  'server/projects/market/fine.ts': uses('../fine.ts', '../../delivery/public.ts'),
  'server/http/pages/fine.ts': uses('../app.ts', '../../projects/market/fine.ts'),
  'server/entries/public.ts': uses('./fine.ts'),
  'server/entries/fine.ts': uses('../projects/public.ts'),
  'server/projects/fine.test.ts': uses(
    './fine.ts',
    '../http/app.ts',
    '../../test/support/test-database.ts',
    '../devnet/chain.ts',
    'fast-check',
  ),
  'test/support/test-database.ts': uses('../../server/db/pool.ts', '../../server/devnet/chain.ts', 'fast-check'),
  'test/journey.test.ts': uses('../server/http/app.ts', '../server/db/pool.ts', 'fast-check'),
};

const forbiddenImports: Record<string, Record<string, string>> = {
  'no-circle-of-files': {
    'contract/chicken.ts': "import type { Egg } from './egg.ts';\nexport type Chicken = { egg: Egg };\n",
    'contract/egg.ts': "import { type Chicken } from './chicken.ts';\nexport type Egg = { chicken: Chicken };\n",
  },
  'contract-imports-zod-only': { 'contract/web.ts': uses('hono') },
  'clients-know-the-contract-only': { 'sdk/short-cut.ts': uses('../server/entries/public.ts') },
  'cli-is-a-package-of-its-own': { 'cli/short-cut.ts': uses('../sdk/other.ts') },
  'sdk-is-a-package-of-its-own': { 'sdk/repeat.ts': uses('../contract/basics/money.ts') },
  'demo-is-a-client': { 'demo/short-cut.ts': uses('../sdk/other.ts') },
  'console-is-a-client': { 'console/repeat.ts': uses('../sdk/src/index.ts') },
  'server-knows-no-client': { 'server/keys/client.ts': uses('../../sdk/fine.ts') },
  'no-test-code-in-the-product': { 'server/http/fixture.ts': uses('../../test/support/test-database.ts') },
  'domains-are-private': { 'server/entries/peek.ts': uses('../projects/search/fine.ts') },
  'no-public-file-inside-a-domain': {
    'server/projects/second-door.ts': uses('./search/public.ts'),
    'server/projects/search/public.ts': uses('zod'),
  },
  'reads-lie-above-the-domains': { 'server/projects/shortcut.ts': uses('./market/fine.ts') },
  'domains-are-private-to-the-root': {
    'server/service.ts': uses('./http/public.ts', './projects/public.ts', './jobs/public.ts', './projects/fine.ts'),
  },
  'loaded-by-main-only': { 'server/judging/second-pool.ts': uses('../db/pool.ts') },
  'public-files-only-for-others': { 'server/chain/round.ts': uses('./public.ts') },
  'queries-are-private-to-domains': { 'test/peek.ts': uses('../server/projects/queries.ts') },
  'folder-without-a-place': { 'server/utils/dates.ts': uses('zod') },
  'domains-lie-below-http-and-jobs': { 'server/posters/reply.ts': uses('../http/public.ts') },
  'composition-is-above': { 'server/http/all-routes.ts': uses('../routes.ts') },
  'common-ground-knows-no-domain': { 'server/db/seed.ts': "import type { Evm } from '../chain/public.ts';\n" },
  'types-are-the-lowest-layer': { 'server/keys/types.ts': "import type { Config } from '../config.ts';\n" },
  'devnet-only-from-main': {
    'server/http/faucet.ts': 'export const faucet = async () => [1].map(() => import(`../devnet/public.ts`));\n',
  },
  'config-only-from-main': { 'server/http/settings.ts': uses('../config.ts') },
  'telemetry-only-from-main': { 'server/http/spans.ts': uses('@opentelemetry/api') },
  'driver-only-from-db': { 'server/http/refusals.ts': uses('pg') },
  'console-folders-are-private': { 'console/poster/short-cut.ts': uses('../components/data/table.ts') },
  'no-dev-dependency-in-the-product': { 'server/keys/generate.ts': uses('fast-check') },
  'imports-resolve': { 'bench/gone.ts': uses('./missing.ts') },
  'no-orphans': { 'scripts/forgotten.ts': 'export const forgotten = true;\n' },
};
for (const [index, domain] of domains.slice(0, -1).entries()) {
  const next = domains[index + 1] ?? '';
  forbiddenImports[`${domain}-calls-only-earlier-domains`] = {
    [`server/${domain}/hasty.ts`]: uses(`../${next}/public.ts`),
  };
}
/** Every domain has a public file, so that a planted import breaks only the order of domains. */
const publicFiles = Object.fromEntries(domains.map((domain) => [`server/${domain}/public.ts`, uses('zod')]));

test('every import rule reports the imports that it forbids, and no others', async () => {
  const { default: config } = (await import(join(root, '.dependency-cruiser.mjs'))) as {
    default: { forbidden: { name: string }[] };
  };
  assert.deepEqual(
    config.forbidden.map((rule) => rule.name).toSorted(),
    Object.keys(forbiddenImports).toSorted(),
    'a rule without a tree that breaks it',
  );

  const wrong = Object.values(forbiddenImports);
  const tree = await plant({ ...packages, ...publicFiles, ...allowedImports, ...Object.assign({}, ...wrong) });
  const found = await cruise('.dependency-cruiser.mjs', tree);
  const expected = Object.entries(forbiddenImports).map(([rule, files]) => `${rule}: ${Object.keys(files)[0]}`);
  assert.deepEqual(
    found.map((line) => line.split(' -> ')[0]),
    expected.toSorted(),
  );
});

test('the rule for folders reports folders that import each other, and ignores tests', async () => {
  const tree = await plant({
    ...packages,
    'server/keys/check.ts': uses('../agents/status.ts'),
    'server/agents/status.ts': uses('zod'),
    'server/agents/rotate.ts': uses('../keys/format.ts'),
    'server/keys/format.ts': uses('zod'),
    'server/storage/disk.ts': uses('zod'),
    'server/storage/disk.test.ts': uses('../http/app.ts'),
    'server/http/app.ts': uses('../storage/disk.ts'),
  });
  assert.deepEqual(await cruise('.dependency-cruiser.folders.mjs', tree), [
    'no-circle-of-folders: server/agents -> server/keys',
    'no-circle-of-folders: server/keys -> server/agents',
  ]);
});
