import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { it } from 'node:test';
import { generatePrivateKey } from 'viem/accounts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { expectStatus, openProject } from '../support/clients/journey.ts';
import { copyDatabase } from '../support/copy-database.ts';
import { startScript, until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { serveHttp } from '../support/servers/http-server.ts';
import { testDatabase } from '../support/test-database.ts';

// A prize is paid after the dump. `concours-server recover` books it, in the name of the user at the command line.

const treasuryKey = generatePrivateKey();
const ground = await prepareWorld({ treasuryKey });
const restored = await testDatabase();
// The bucket only has to exist.
const bucket = await serveHttp((_, response) => response.writeHead(200).end());
const service = await ground.start();
const market = { url: service.url, mintUsdc: ground.mintUsdc };
const project = await openProject(market, { prizeUsdc: 1, entryFeeUsdc: 0.25 });
const winner = await enter(market, project);
expectStatus(await close(market, project), 200);
await copyDatabase(ground.db, restored.db);
expectStatus(await choose(market, project, winner), 200);
await until('the prize', async () => (await ground.db`select 1 from payouts where state = 'settled'`).length === 1);
await service.running.kill('SIGKILL');

const env = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://market.example',
  DATABASE_URL: restored.url,
  S3_ENDPOINT: bucket,
  S3_BUCKET: 'entries',
  S3_ACCESS_KEY_ID: 'AKTEST',
  S3_SECRET_ACCESS_KEY: 'SKTEST1234567890',
  NETWORK: 'eip155:84532',
  RPC_URL: ground.rpcUrl,
  TREASURY_KEY: treasuryKey,
  FACILITATOR_KEY: ground.facilitatorKey,
  SECRETS_KEY: randomBytes(32).toString('hex'),
  OPERATOR_KEY: randomBytes(32).toString('base64url'),
};

async function recover(...args: string[]): Promise<{ code: number | string; output: string }> {
  const running = startScript('server/command/concours-server.mjs', ['recover', ...args], { env });
  return { code: await running.ended, output: running.output() };
}

const settled = async () => (await restored.db`select 1 from payouts where state = 'settled'`).length;

it('tells what it would book, and books nothing, in a dry run', async () => {
  const { code, output } = await recover('--dry-run');
  assert.equal(code, 0, output);
  assert.match(
    output,
    new RegExp(`^booked\\t0x\\w+:\\d+\\t${ground.treasury} -> \\w+\\t950000\\tproject:${project.id}`, 'm'),
  );
  assert.match(output, /Nothing was changed\. Every transfer has its place\./);
  assert.equal(await settled(), 0);
});

it('books it, and names the user who ran it', async () => {
  const { code, output } = await recover();
  assert.equal(code, 0, output);
  assert.match(output, /Recovered until block \d+\. Payouts flow\./);
  assert.equal(await settled(), 1);
  const trail = await restored.db<{ action: string; actor: string }[]>`
    select action, actor from audit_trail where action in ('recovery.run', 'project.award') order by action`;
  const actor = `command:${userInfo().username}`;
  assert.deepEqual(
    [...trail],
    [
      { action: 'project.award', actor },
      { action: 'recovery.run', actor },
    ],
  );
});

it('changes nothing the second time, and refuses what is no block', async () => {
  const again = await recover();
  assert.deepEqual([again.code, again.output.includes('booked\t')], [0, false], again.output);
  const wrong = await recover('--until-block', 'newest');
  assert.deepEqual([wrong.code, /It must be a block number/.test(wrong.output)], [1, true], wrong.output);
});
