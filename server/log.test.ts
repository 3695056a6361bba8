import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { issueKey, keyPrefix } from './keys/format.ts';
import { createLog, redacted } from './log.ts';

function linesOf(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(createLog('debug', { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log', () => {
  it('logs the kind, the message, and the frames of an error, and none of its other properties', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
      code: 'ECONNREFUSED',
      query: 'select 1',
    });
    const error = Object.assign(new TypeError('it failed', { cause }), {
      request: { headers: { authorization: 'x' } },
    });
    const [line] = linesOf((log) => log.error({ err: error }, 'failed'));
    type Told = { type: string; message: string; at: string[]; cause?: Told };
    const { type, message, at, cause: deeper, ...rest } = line!['err'] as Told;
    assert.deepEqual([type, message, rest], ['TypeError', 'it failed', {}]);
    assert.match(at[0]!, /log\.test\.ts/);
    const { at: _, ...toldCause } = deeper!;
    assert.deepEqual(toldCause, {
      type: 'Error',
      code: 'ECONNREFUSED',
      message: 'connect ECONNREFUSED 127.0.0.1:5432',
    });
  });

  it('redacts secrets', () => {
    const hex = randomBytes(32).toString('hex');
    const secrets = [
      issueKey('ck_live', randomBytes).key,
      issueKey('cs_live', randomBytes).key,
      `ck_operator_${randomBytes(32).toString('base64url')}`,
      // As one of 64 begins, each.
      `ck_operator_-${randomBytes(31).toString('base64url')}`,
      `ck_operator__${randomBytes(31).toString('base64url')}`,
      hex,
      `0x${hex}`,
      randomBytes(65).toString('hex'),
      randomBytes(100).toString('base64'),
    ];
    // A part of a token, too: all of one has the length of other long text.
    for (const owner of ['agent', 'operator', 'poster', 'session', 'agentSession', 'operatorSession'] as const)
      secrets.push(issueKey(keyPrefix(owner, true), randomBytes).key.slice(0, 60));
    for (const secret of secrets) {
      const text = redacted(`it said: "${secret}", and (${secret})`);
      assert.equal(text.includes(secret.slice(12, 40)), false, text);
      assert.match(text, /^it said: ".*", and \(.*\)$/);
    }
    assert.equal(redacted('Authorization: Bearer abc def'), 'Authorization: Bearer [redacted] def');
    assert.equal(redacted('postgres://me:secret@db:5432/x'), 'postgres://[redacted]@db:5432/x');
    const id = '01a1fd68-1a1d-7b89-b14d-8a21a36746c2';
    const address = '0x036cbd53842c5426634e7929541ec2318f3dcf7e';
    assert.equal(redacted(`row ${id} of ${address} failed`), `row ${id} of ${address} failed`);
    assert.equal(redacted('y '.repeat(5000)).length, 1000);
  });
});
