import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

// A benchmark names the scripts of its processes as text, so a moved script is found only when the benchmark runs.
it('every script that a benchmark starts exists', () => {
  const named = globSync('bench/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/start(?:Peer|Child)\(\s*'([^']+)'/g)].map(([, script]) => script ?? ''),
  );
  assert.ok(named.length > 5);
  assert.deepEqual(
    named.filter((script) => !existsSync(`bench/${script}`)),
    [],
  );
});
