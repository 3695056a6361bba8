import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { compileDevContracts } from './compile-dev-usdc.ts';

test('the committed contracts of the development chain match their sources', async () => {
  const compiled = await compileDevContracts();
  assert.deepEqual([...compiled.keys()], ['dev-usdc.json', 'multicall3.json', 'test-wallet.json']);
  for (const [file, text] of compiled) {
    const committed = await readFile(join(import.meta.dirname, '..', 'server', 'devnet', file), 'utf8');
    assert.equal(committed, text, `${file}: run \`node scripts/compile-dev-usdc.ts\``);
  }
});
