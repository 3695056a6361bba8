import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import pino from 'pino';
import { privateKeyToAddress } from 'viem/accounts';
import { startChain } from '../../../server/devnet/chain.ts';
import { call } from '../clients/client.ts';
import { closeAndChoose, enter } from '../clients/contestants.ts';
import { assertBooks, expectStatus, type Market, openProject } from '../clients/journey.ts';
import { run, type RunningProcess, startScript, until } from '../processes/processes.ts';
import { s3ForTests } from '../servers/s3.ts';
import { openDatabase } from '../test-database.ts';

/** A process as a file of deploy/ names it: the arguments of the image, and its environment. */
export type NamedProcess = { args: string[]; env: Record<string, string> };

type DeployedWorld = Awaited<ReturnType<typeof deployedWorld>>;

/** The journey takes no hour. */
const AT_ONCE = { MIN_OPEN_SECONDS: '60', EARLY_ACCESS_SECONDS: '0', CLOSE_NOTICE_MINUTES: '0' };

/** Returns a process with what production needs, and nothing else. */
export function productionProcess(role: 'api' | 'worker', env: Record<string, string>): NamedProcess {
  const secrets = ['DATABASE_URL', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'FACILITATOR_KEY', 'SECRETS_KEY'];
  const names = [...secrets, 'OPERATOR_KEY', role === 'api' ? 'TREASURY_ADDRESS' : 'TREASURY_KEY'];
  const files = Object.fromEntries(names.map((name) => [`${name}_FILE`, `/run/secrets/${name}`]));
  const named = { PUBLIC_URL: 'https://market.example', NETWORK: 'eip155:84532' };
  return { args: ['start', `--role=${role}`], env: { ...named, ...files, ...env } };
}

const COMMAND = 'server/command/concours-server.mjs';

/** Prepares an empty database, a chain, a bucket, and secrets for processes of production. Call it at the top of a test file. */
export async function deployedWorld() {
  const s3 = s3ForTests();
  assert.ok('env' in s3, 'CI must provide S3_TEST_ENDPOINT');
  const started: RunningProcess[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const { kill } of started) await kill('SIGKILL');
    for (const close of closers.toReversed()) await close();
  });
  const folder = await mkdtemp(join(tmpdir(), 'concours-deployed-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const secrets = join(folder, 'secrets');
  await run(process.execPath, [COMMAND, 'keys', '--folder', secrets]);
  const secret = async (name: string) => (await readFile(join(secrets, name), 'utf8')).trim();
  const { url } = await openDatabase({ empty: true, connections: 1 }, (close) => closers.push(close));
  const { S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '', S3_ENDPOINT = '', S3_BUCKET = '' } = s3.env;
  for (const [name, value] of Object.entries({ DATABASE_URL: url, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }))
    await writeFile(join(secrets, name), value);
  const facilitatorAddress = privateKeyToAddress((await secret('FACILITATOR_KEY')) as `0x${string}`);
  const chain = await startChain({ dataDir: folder, facilitatorAddress, log: pino({ level: 'silent' }) });
  closers.push(() => chain.stop());
  const settings = { HOST: '127.0.0.1', RPC_URL: chain.rpcUrl, S3_ENDPOINT, S3_BUCKET, ...AT_ONCE };
  return {
    chain,
    /** The folder with the files of `concours-server keys --folder`, in which those of parts lead to the parts of this test. */
    secrets,
    operatorKey: await secret('OPERATOR_KEY'),
    /** Settings that lead to the parts of this test. */
    settings,
    /** Runs a process on loopback, with its secrets and parts. `change` replaces settings of any kind. */
    start(named: NamedProcess, change: Record<string, string> = {}): RunningProcess & { url: string } {
      const env = Object.entries(named.env).map(([name, value]) => [name, value.replace('/run/secrets', secrets)]);
      const port = String(named.env['PORT']);
      const running = startScript(COMMAND, named.args, {
        env: { NODE_ENV: 'production', ...Object.fromEntries(env), ...settings, PORT: port, ...change },
      });
      started.push(running);
      return { ...running, url: `http://127.0.0.1:${port}` };
    },
  };
}

/**
 * Takes a project through the service at `url`: it is funded, entered at `otherUrl`, its winner is chosen, and gets the
 * prize.
 */
export async function playProject(
  { chain, operatorKey }: DeployedWorld,
  url: string,
  picture?: Buffer<ArrayBuffer>,
  otherUrl = url,
) {
  const market: Market = { url, mintUsdc: chain.mintUsdc };
  const project = await openProject(market);
  const entrant = await enter({ ...market, url: otherUrl }, project, picture ? { picture } : {});
  expectStatus(await closeAndChoose(market, project, entrant), 200);
  await until('the prize', async () => {
    const { data } = expectStatus(await call(url, 'GET', '/agents/me/history', { key: entrant.key }), 200).body;
    return data.submissions[0].payoutStatus === 'settled';
  });
  await assertBooks({ url, operatorKey });
  return { project, entrant };
}
