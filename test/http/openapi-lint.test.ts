import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { startWorld } from '../support/worlds/service-world.ts';

// own process: the linter keeps it busy for seconds, in which jobs of other tests' services would lose their databases.
// All documents are read first, and this file does not look at the log.

const { url } = await startWorld();
const READERS = ['agent', 'owner', 'poster', 'operator', 'public'];
const read = async (query: string) => await (await fetch(`${url}/api/v1/openapi.json${query}`)).text();
const whole = await read('');
const documents = await Promise.all(READERS.map((reader) => read(`?audience=${reader}`)));
const config = await createConfig({ extends: ['recommended'] });

async function problemsOf(source: string) {
  const found = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return found.map(({ ruleId, message }) => ({ ruleId, message }));
}

it('redocly’s recommended rules give no warnings for the document of any reader', async () => {
  for (const source of documents) assert.deepEqual(await problemsOf(source), [], source.slice(0, 200));
});

it('redocly gives the whole document one warning, which is accepted', async () => {
  const [accepted, ...others] = await problemsOf(whole);
  assert.deepEqual(others, []);
  // docs/decisions/0281: no request matches both paths.
  assert.equal(accepted?.ruleId, 'no-ambiguous-paths');
  assert.match(accepted.message, /`\/agents\/\{agent_id\}\/public` and `\/agents\/projects\/\{projectId\}`/);
});
