import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { call, fund } from '../support/clients/client.ts';
import { brief, drawing, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import type { ParsedJson } from '../support/clients/parsed-json.ts';
import { outputOf, until } from '../support/processes/processes.ts';
import { temporaryFolder } from '../support/remove-folder.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Public clients of MCP, unmodified and in processes of their own: their packages are not the service's.

const CLIENTS = join(import.meta.dirname, '..', 'mcp-clients');
const PACKAGES = join(CLIENTS, 'node_modules', '@modelcontextprotocol');
const CONFORMANCE = join(PACKAGES, 'conformance', 'dist', 'index.js');
const INSPECTOR = join(PACKAGES, 'inspector', 'clients', 'launcher', 'build', 'index.js');
/** The scenarios of a server with tools and without sessions. The others need the tools and prompts of a test server. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];
const FRAMEWORKS = ['ai-sdk', 'openai-agents'] as const;
const FEE_MICRO = 250_000;

const skip = existsSync(CONFORMANCE) || process.env['CI'] ? false : 'npm ci --ignore-scripts --prefix test/mcp-clients';
const world = skip ? null : await startWorld({ inspectionTimes: { waitMs: 30_000 } });

async function ask(client: string, request: object): Promise<ParsedJson> {
  return JSON.parse(await outputOf([join(CLIENTS, `${client}.mjs`)], JSON.stringify(request)));
}

async function newAgent(url: string) {
  const { id, key } = await registerAgent(url);
  return { id, key, privateKey: await newWallet(url, 1) };
}

async function newWallet(url: string, usdc: number): Promise<`0x${string}`> {
  const privateKey = generatePrivateKey();
  await fund(url, privateKeyToAddress(privateKey), usdc);
  return privateKey;
}

describe('public clients of MCP', { skip }, () => {
  for (const scenario of SCENARIOS)
    it(`the conformance suite passes: ${scenario}`, async () => {
      assert.ok(world);
      const output = await temporaryFolder('mcp');
      const args = ['server', '--url', `${world.url}/mcp`, '--scenario', scenario, '--output-dir', output];
      const report = await outputOf([CONFORMANCE, ...args], '');
      assert.match(report, /[1-9]\d* passed|Passed: [1-9]/, report);
    });

  it('the inspector lists the tools and calls one', async () => {
    assert.ok(world);
    const { key } = await registerAgent(world.url);
    const header = ['--header', `Authorization: Bearer ${key}`];
    const base = [INSPECTOR, '--cli', `${world.url}/mcp`, '--transport', 'http', ...header];
    const { tools } = JSON.parse(await outputOf([...base, '--method', 'tools/list'], ''));
    assert.ok(tools.some(({ name }: { name: string }) => name === 'enter_project'));
    const called = await outputOf([...base, '--method', 'tools/call', '--tool-name', 'my_account'], '');
    assert.equal(JSON.parse(called).structuredContent.agent.name, 'Test agent');
  });

  it('the first generation of the SDK accepts the 402, pays, and enters', async () => {
    assert.ok(world);
    const { url } = world;
    const { id } = await openProject(world, { entryFeeUsdc: FEE_MICRO / 1e6 });
    const file = { fileName: 'a.png', fileType: 'image/png', file_base64: (await drawing(1)).toString('base64') };
    const args = { project_id: id, title: 'First generation', ...file, max_spend: 1 };
    const calls = [false, true].map((pays) => ({ name: 'enter_project', args, pays }));
    const { results } = await ask('first-generation', { url, ...(await newAgent(url)), calls });
    assert.deepEqual([results[0].isError, results[0].structuredContent.x402Version], [true, 2]);
    assert.equal(results[1].structuredContent.status, 'submitted');
    const { _meta: settled } = results[1];
    assert.equal(settled['x402/payment-response'].success, true);
  });

  for (const framework of FRAMEWORKS)
    it(`${framework}: an agent pays and its entry is confirmed; a brief is published, judged, and delivered`, async () => {
      assert.ok(world);
      const { url, clock } = world;
      const poster = { key: (await registerPoster(url)).key, privateKey: await newWallet(url, 2) };
      const posterDoes = (journey: string, given: object) => ask(framework, { url, ...poster, journey, given });
      const deadline = new Date(clock.now().getTime() + 3_600_000);
      const fields = brief({ prizeUsdc: 2, entryFeeUsdc: FEE_MICRO / 1e6, deadline });
      const { text: projectId } = await posterDoes('publish', { brief: fields });

      const picture = await drawing(2);
      const agent = await newAgent(url);
      const given = { projectId, file_base64: picture.toString('base64') };
      const entered = await ask(framework, { url, ...agent, journey: 'enter', given });
      assert.match(entered.text, /"status":"submitted"/, entered.results.join('\n'));
      assert.match(entered.text, new RegExp(`"entry_fee_paid":${FEE_MICRO}`));

      clock.offsetMs += 3_600_000;
      const path = `/posters/me/projects/${projectId}`;
      const statusOf = async () => (await call(url, 'GET', path, poster)).body.data.project.status;
      await until('judging', async () => (await statusOf()) === 'judging');
      const { text: winner } = await posterDoes('judge', { projectId });
      await until('completed', async () => (await statusOf()) === 'completed');
      const { text: delivered } = await posterDoes('deliver', { projectId, submissionId: winner });
      assert.match(delivered, new RegExp(createHash('sha256').update(picture).digest('hex')));
    });
});
