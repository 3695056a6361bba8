import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { fund } from '../support/clients/client.ts';
import { openProject, registerAgent, testPicture } from '../support/clients/journey.ts';
import { chainAt } from '../support/money/chain-reads.ts';
import { outputOf, run } from '../support/processes/processes.ts';
import { temporaryFolder } from '../support/remove-folder.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// Five public generators make clients from the agent's document. They compile strictly, and three of them pay with the
// public client of x402.

const PACKAGE = join(import.meta.dirname, '..', 'generated-clients');
const installed = existsSync(join(PACKAGE, 'node_modules', 'orval'));
const skip = installed || process.env['CI'] ? false : 'npm ci --ignore-scripts --prefix test/generated-clients';
const FEE_MICRO = 50_000;

describe('a client that a public generator made', { skip }, async () => {
  if (skip) return;
  const world = await sharedWorld();
  const { url } = world;
  const project = await openProject(world, { entryFeeUsdc: FEE_MICRO / 1e6 });
  const folder = await temporaryFolder('generated');
  await cp(PACKAGE, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  await symlink(join(PACKAGE, 'node_modules'), join(folder, 'node_modules'));
  const document = await fetch(`${url}/api/v1/openapi.json?audience=agent`);
  await writeFile(join(folder, 'openapi.json'), await document.text());
  await run(process.execPath, ['generate.mjs', url], { cwd: folder });

  it('compiles strictly', async () => {
    const tsc = join(folder, 'node_modules', '.bin', 'tsc');
    const done = await run(tsc, ['-p', '.'], { cwd: folder }).catch((error: { stdout: string }) => error);
    assert.equal(done.stdout, '');
  });

  for (const [seed, client] of ['openapi-fetch', 'hey-api', 'orval'].entries()) {
    it(`enters a project and pays its fee: ${client}`, async () => {
      const agent = await registerAgent(url);
      const privateKey = generatePrivateKey();
      await fund(url, privateKeyToAddress(privateKey), 1);
      const picture = (await testPicture(seed + 1)).toString('base64');
      const order = { url, key: agent.key, privateKey, projectId: project.id, picture };
      const paid = await outputOf([`with-${client}.ts`], JSON.stringify(order), folder);
      assert.equal(paid.trim(), String(FEE_MICRO));
      const address = privateKeyToAddress(privateKey).toLowerCase();
      assert.equal(await chainAt(world.rpcUrl).balanceMicro(address), 1_000_000 - FEE_MICRO);
    });
  }
});
