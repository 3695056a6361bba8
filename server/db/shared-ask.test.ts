import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sharedAsk } from './shared-ask.ts';

it('gives each caller an answer to a question that was asked after its call', async () => {
  const asked: PromiseWithResolvers<number>[] = [];
  const ask = sharedAsk(() => {
    const question = Promise.withResolvers<number>();
    asked.push(question);
    return question.promise;
  });
  const first = ask();
  const [second, third] = [ask(), ask()];
  assert.equal(asked.length, 1);
  asked[0]?.reject(new Error('away'));
  await assert.rejects(first, /away/);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(asked.length, 2);
  asked[1]?.resolve(2);
  assert.deepEqual([await second, await third], [2, 2]);
  const fourth = ask();
  asked[2]?.resolve(3);
  assert.equal(await fourth, 3);
});
