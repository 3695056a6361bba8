import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigError, readConfig } from './config.ts';

describe('the keys of the facilitator', () => {
  const [one, two] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`];
  const problems = (env: Record<string, string>) => {
    try {
      return readConfig(env) && [];
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return error.problems.filter((problem) => problem.startsWith('FACILITATOR_'));
    }
  };

  it('are one or several', () => {
    assert.deepEqual(readConfig({}).facilitatorKeys, []);
    assert.deepEqual(readConfig({ FACILITATOR_KEY: one }).facilitatorKeys, [one]);
    assert.deepEqual(readConfig({ FACILITATOR_KEYS: `${one}, ${two}` }).facilitatorKeys, [one, two]);
  });

  it('are refused beside a single key, twice, or malformed, and no problem repeats a key', () => {
    const refused = [
      { FACILITATOR_KEY: one, FACILITATOR_KEYS: two },
      { FACILITATOR_KEYS: `${one},${one}` },
      { FACILITATOR_KEYS: `${one},${two.slice(1)}` },
      { FACILITATOR_KEYS: ',' },
    ];
    for (const env of refused) {
      assert.equal(problems(env).length, 1, JSON.stringify(env));
      assert.doesNotMatch(problems(env).join(), /1111|2222/);
    }
  });

  it('are none of the treasury, and not beside a remote facilitator, in production', () => {
    const production = { NODE_ENV: 'production', FACILITATOR_KEYS: `${one},${two}` };
    assert.deepEqual(problems(production), []);
    assert.match(problems({ ...production, TREASURY_KEY: two })[0] ?? '', /same key as TREASURY_KEY/);
    assert.match(problems({ ...production, FACILITATOR_URL: 'https://x.example' })[0] ?? '', /beside FACILITATOR_URL/);
    assert.match(problems({ NODE_ENV: 'production' })[0] ?? '', /required in production/);
  });
});
