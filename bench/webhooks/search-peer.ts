import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { answerParent } from '../child.ts';

// An agent that searches at a fixed rate and records how long each response takes. It stands for another machine, so its
// own wait for a processor is subtracted. Only Linux reports that wait.

export type SearchSettings = { port: number; keys: string[]; perSecond: number };
export type SearchResult = {
  /** For each response: the time of the request in milliseconds since 1970, and the duration. */
  askedAt: Float64Array;
  tookMs: Float64Array;
};

const { port, keys, perSecond } = JSON.parse(process.argv[2] ?? '{}') as SearchSettings;
const agent = new Agent({ keepAlive: true });
const answers: { askedAt: number; tookMs: number }[] = [];
let timer: NodeJS.Timeout | undefined;
let asked = 0;
let problem: string | undefined;

const SCHEDULED = '/proc/self/schedstat';
const isReported = existsSync(SCHEDULED);
let waitedMs = 0;

/** Returns how long this process waited for a processor since the last call. */
function waited(): number {
  if (!isReported) return 0;
  const before = waitedMs;
  waitedMs = Number(readFileSync(SCHEDULED, 'latin1').split(' ')[1]) / 1e6;
  return waitedMs - before;
}

function search(): void {
  waited();
  asked += 1;
  // Each request starts at another position, so that no response comes from a cache.
  const path = `/api/v1/agents/projects?limit=20&order_by=prize_amount&order_direction=asc&min_prize_amount=${10 + ((asked * 7919) % 1_900)}`;
  const headers = { authorization: `Bearer ${keys[asked % keys.length]}` };
  const askedAt = performance.timeOrigin + performance.now();
  request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
    if (response.statusCode !== 200) problem ??= `a search was answered with ${response.statusCode}`;
    const beforeHead = waited();
    response.resume();
    response.once('end', () => {
      const tookMs = performance.timeOrigin + performance.now() - askedAt;
      answers.push({ askedAt, tookMs: tookMs - beforeHead - waited() });
    });
  })
    .on('error', (error) => (problem ??= error.message))
    .end();
}

answerParent(async (question: 'start' | 'stop'): Promise<object> => {
  if (question === 'start') {
    timer = setInterval(search, 1000 / perSecond);
    return {};
  }
  clearInterval(timer);
  if (problem !== undefined) throw new Error(problem);
  return {
    askedAt: Float64Array.from(answers, (answer) => answer.askedAt),
    tookMs: Float64Array.from(answers, (answer) => answer.tookMs),
  } satisfies SearchResult;
});
