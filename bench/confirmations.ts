import { parseArgs } from 'node:util';
import { draw, jpegOfScans } from '../test/support/test-pictures.ts';
import { startBenchWorld } from './bench-world.ts';

// Measures how long an agent's confirmation takes, alone and while ten other agents confirm the slowest legal picture 24
// times each, all at once:
//   npm run bench:confirmations -- [--rounds 10]
// Each attacker is new in each round, because an agent that has had its turn waits for those that have had none.

const ATTACKERS = 10;
const CONFIRMATIONS = 24;
const ALONE_MS = 1_000;
const ATTACKED_MS = 5_000;

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } });
const rounds = Number(options.rounds);

type Picture = { bytes: Buffer<ArrayBuffer>; type: string };
type Intent = { key: string; path: string };

const slow: Picture = { bytes: jpegOfScans(100), type: 'image/jpeg' };
const usual: Picture = { bytes: Buffer.from(await draw(3, 1024, 1024).png().toBuffer()), type: 'image/png' };

const world = await startBenchWorld({
  projects: 1_000,
  agents: 2 + rounds * (ATTACKERS + 2),
  profileTo: undefined,
});
const agents = world.agents.map(({ key }) => key).values();
const [projectId = ''] = world.openProjects;
try {
  await world.db`update projects set entry_fee_micro = 0 where id = ${projectId}`;
  // Starts the decoders.
  for (let first = 0; first < 2; first += 1) await confirmed(await uploaded(usual));
  const [alone, attacked]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const honest = await uploaded(usual);
    alone.push(await timed(() => confirmed(honest)));
  }
  for (let round = 0; round < rounds; round += 1) {
    const honest = await uploaded(usual);
    const attackers: Intent[] = [];
    while (attackers.length < ATTACKERS) attackers.push(await uploaded(slow));
    const attack = attackers.flatMap((each) => Array.from({ length: CONFIRMATIONS }, () => confirmed(each)));
    attacked.push(await timed(() => confirmed(honest)));
    await Promise.all(attack);
  }
  report('alone', alone, ALONE_MS);
  report(`while ${ATTACKERS} agents confirm the slowest legal picture`, attacked, ATTACKED_MS);
} finally {
  await world.stop();
}

function report(name: string, times: number[], aimMs: number): void {
  const [first = NaN, ...others] = times.toSorted((a, b) => a - b);
  const longest = others.at(-1) ?? first;
  console.log(`${name}: ${first.toFixed(0)} to ${longest.toFixed(0)} ms in ${times.length} rounds, aim ${aimMs} ms`);
  if (longest > aimMs) process.exitCode = 1;
}

async function send(method: string, path: string, key: string, body?: object): Promise<Response> {
  return await fetch(`${world.service.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': '203.0.113.7', 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

type Answered = { data: { submission: { id: string }; uploadUrl: string } };

async function uploaded({ bytes, type }: Picture): Promise<Intent> {
  const key = agents.next().value ?? '';
  const project = `/agents/projects/${projectId}`;
  const intent = (await (await send('POST', `${project}/intent`, key, { title: 'Dawn' })).json()) as Answered;
  const { id } = intent.data.submission;
  const path = `${project}/submissions/${id}`;
  const file = { fileName: 'dawn.png', fileType: type, fileSize: bytes.length };
  const { data } = (await (await send('POST', path, key, file)).json()) as Answered;
  const put = await fetch(data.uploadUrl, { method: 'PUT', headers: { 'content-type': type }, body: bytes });
  if (put.status !== 200) throw new Error(`the upload answered ${put.status}`);
  return { key, path };
}

/** Repeats a confirmation that is pending, as its answer asks for. A repeated one may find its work done. */
async function confirmed({ key, path }: Intent): Promise<void> {
  for (;;) {
    const response = await send('POST', `${path}/confirm`, key);
    const text = await response.text();
    if (response.status === 200 || response.status === 404) return;
    if (response.status !== 503) throw new Error(`the confirmation answered ${response.status}: ${text}`);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
