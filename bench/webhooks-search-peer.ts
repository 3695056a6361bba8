import { Agent, request } from 'node:http';
import { answerParent } from './child.ts';

// An agent that searches at a steady pace, whatever the answers take, and notes how long each took.

export type SearchSettings = { port: number; keys: string[]; perSecond: number };
export type SearchResult = {
  /** Of each answer: when it was asked for, in milliseconds since 1970, and what it took. */
  askedAt: Float64Array;
  tookMs: Float64Array;
};

const { port, keys, perSecond } = JSON.parse(process.argv[2] ?? '{}') as SearchSettings;
const agent = new Agent({ keepAlive: true });
const answers: { askedAt: number; tookMs: number }[] = [];
let timer: NodeJS.Timeout | undefined;
let asked = 0;
let problem: string | undefined;

function search(): void {
  asked += 1;
  // Each from another place, so that no answer is one that was kept.
  const path = `/api/v1/agents/projects?limit=20&order_by=prize_amount&order_direction=asc&min_prize_amount=${10 + ((asked * 7919) % 1_900)}`;
  const headers = { authorization: `Bearer ${keys[asked % keys.length]}` };
  const askedAt = performance.timeOrigin + performance.now();
  request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
    if (response.statusCode !== 200) problem ??= `a search was answered with ${response.statusCode}`;
    response.resume();
    response.once('end', () => {
      answers.push({ askedAt, tookMs: performance.timeOrigin + performance.now() - askedAt });
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
