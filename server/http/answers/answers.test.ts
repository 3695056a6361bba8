import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import pino from 'pino';
import { asDomainError } from './errors.ts';
import { DomainError } from '../../../contract/basics/errors.ts';
import { createDeadline, type WithDeadline } from './deadline.ts';
import { DatabaseDown } from '../../db/breaker.ts';
import { DatabaseError } from '../../db/errors.ts';
import { cell } from '../csv.ts';

const SECOND = 1_000;
const answering = { answers: () => Promise.resolve(true) };
const down = { answers: () => Promise.resolve(false) };

it('a full disk of the database is told apart: an alert, and a later retry', () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(line) });
  const error = Object.create(DatabaseError.prototype, { code: { value: '53100' } }) as Error;
  const { code, status, message, retryAfterSeconds } = asDomainError(error, log, 'a request');
  assert.deepEqual([code, status, retryAfterSeconds], ['DATABASE_ERROR', 503, 30]);
  assert.match(message, /no space left/);
  assert.match(lines.join(''), /"alert":"database_full"/);
});

describe('the deadline of a request', () => {
  /** Runs `work` on a clock that only `pass` moves. */
  async function timed(
    breaker: typeof answering,
    work: (withDeadline: WithDeadline, pass: (ms: number) => Promise<void>) => Promise<void>,
  ) {
    mock.timers.enable({ apis: ['setInterval'] });
    let now = 0;
    const withDeadline = createDeadline(breaker, () => now);
    try {
      await work(withDeadline, async (ms) => {
        for (const until = now + ms; now < until;) {
          now += 100;
          mock.timers.tick(100);
        }
        await new Promise((resolve) => setImmediate(resolve));
      });
    } finally {
      mock.timers.reset();
    }
  }

  const never = () => new Promise<string>(() => {});
  const stateOf = async (promise: Promise<unknown>) =>
    await Promise.race([
      promise.catch((error: unknown) => error),
      new Promise((tell) => setImmediate(tell, 'waiting')),
    ]);

  it('ends a plain request after 20 s and a paid one after 60 s, each by itself', async () => {
    await timed(answering, async (withDeadline, pass) => {
      const [plain, paid] = [withDeadline(never(), false), withDeadline(never(), true)];
      await pass(19.9 * SECOND);
      const later = withDeadline(never(), false);
      assert.deepEqual([await stateOf(plain), await stateOf(paid)], ['waiting', 'waiting']);
      await pass(0.5 * SECOND);
      const ended = await stateOf(plain);
      assert.ok(ended instanceof DomainError && ended.status === 503, String(ended));
      assert.deepEqual([await stateOf(later), await stateOf(paid)], ['waiting', 'waiting']);
      await pass(40 * SECOND);
      for (const one of [later, paid]) assert.ok((await stateOf(one)) instanceof DomainError);
    });
  });

  it('ends a request after 2.5 s when the database does not answer, however long it may take', async () => {
    await timed(down, async (withDeadline, pass) => {
      const waiting = [withDeadline(never(), false), withDeadline(never(), true)];
      await pass(2.4 * SECOND);
      for (const one of waiting) assert.equal(await stateOf(one), 'waiting');
      await pass(0.2 * SECOND);
      for (const one of waiting) await assert.rejects(one, DatabaseDown);
    });
  });
});

it('writes values so that no spreadsheet computes them', () => {
  assert.equal(cell('=HYPERLINK("http://x","y")'), `"'=HYPERLINK(""http://x"",""y"")"`);
  for (const start of ['=', '+', '-', '@', '\t', '  =']) assert.match(cell(`${start}1+1`), /^"?'/);
  assert.equal(cell('\r=1'), `"'\r=1"`);
  assert.equal(cell(-5), '-5');
  assert.equal(cell('Acme;=1+1; 2'), "Acme;'=1+1; 2");
  assert.equal(cell('a "b", c'), '"a ""b"", c"');
  assert.equal(cell(null), '');
  assert.equal(cell(['a', 'b']), '"[""a"",""b""]"');
});
