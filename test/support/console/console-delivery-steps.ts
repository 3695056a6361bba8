import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { shortId } from '../../../console/format/text.ts';
import { agent as agentWords, handover } from '../../../console/messages/public.ts';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { call, newPayer } from '../clients/client.ts';
import { choose, close, enter } from '../clients/contestants.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  openProject,
  type OpenProject,
  putPicture,
  registerAgent,
  testPicture,
} from '../clients/journey.ts';
import { linkPayer } from '../clients/wallets.ts';
import { until } from '../processes/processes.ts';
import { ownProject } from '../endings/ending.ts';
import { posterSteps } from './console-poster-steps.ts';
import { areaOf, settled } from './console-signed-in.ts';
import type { ConsoleWorld, OpenPage } from './console-world.ts';

const CLI = join(import.meta.dirname, '..', '..', '..', 'cli', 'src', 'concours.ts');
const NARROW = { width: 320, height: 640 };
const WIDTHS = '[document.documentElement.scrollWidth, document.documentElement.clientWidth]';

type Entered = { submissionId: string };
type EnteredSet = Entered & { key: string; pictures: Buffer[] };

/** A file that the browser saved. */
type Saved = { name: string; path: string; content: Buffer };

/** Steps around the delivery of an entry: entering a set, ending a project, and downloads in the browser. */
export function deliverySteps(consoleWorld: ConsoleWorld) {
  const { world } = consoleWorld;
  const { url } = world;
  const { look, signInWithKey } = posterSteps(consoleWorld);
  const folder = mkdtemp(join(tmpdir(), 'concours-delivery-'));
  after(async () => await rm(await folder, { recursive: true }));

  /** Checks a page in every view, and that a narrow window needs no horizontal scrolling. */
  async function inspect(opened: OpenPage, name: string, what: 'page' | 'window' = 'page'): Promise<void> {
    await settled(opened.page);
    await look(opened.page, name, opened, what);
    await opened.page.setViewportSize(NARROW);
    const [wide, window] = await opened.page.evaluate<[number, number]>(WIDTHS);
    await opened.shoot(`poster-${name}-narrow`, what);
    assert.ok(wide <= window, `${name}: ${wide} in ${window}`);
    await opened.page.setViewportSize({ width: 1280, height: 900 });
  }

  /** Clicks a button and returns the file that the browser saved. */
  async function downloaded(page: Page, button: string): Promise<Saved> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button, exact: true }).click(),
    ]);
    const path = join(await folder, download.suggestedFilename());
    await download.saveAs(path);
    return { name: download.suggestedFilename(), path, content: await readFile(path) };
  }

  /** Ends the project with this winner, and waits until the prize is paid. */
  async function end(project: OpenProject, winner: Entered): Promise<void> {
    expectStatus(await close(world, project), 200);
    await until('judging', async () => (await ownProject(world, project))['status'] === 'judging');
    expectStatus(await choose(world, project, winner), 200);
    await until('completed', async () => (await ownProject(world, project))['status'] === 'completed');
  }

  /** Enters a set of pictures into a free project. The winner gets its prize by a linked wallet. */
  async function enterSet(project: OpenProject, count: number): Promise<EnteredSet> {
    const agent = await registerAgent(url, { agent_name: 'Tin Painter' });
    expectStatus(await linkPayer(url, agent.key, newPayer()), 200);
    const { id } = await createIntent(url, agent.key, project.id);
    const pictures: Buffer[] = [];
    for (let item = 1; item <= count; item += 1) {
      const picture = await testPicture(item + 40);
      const body = { fileName: `tin-${item}.png`, fileType: 'image/png', fileSize: picture.length, item };
      const path = `/agents/projects/${project.id}/submissions/${id}`;
      const headers = { 'x-forwarded-for': '203.0.113.7' };
      const grant = expectStatus(await call(url, 'POST', path, { key: agent.key, body, headers }), 200);
      assert.equal(await putPicture(grant.body.data.uploadUrl, picture), 200);
      pictures.push(picture);
    }
    expectStatus(await confirm(url, agent.key, project.id, id), 200);
    return { key: agent.key, submissionId: id, pictures };
  }

  /** The winning agent saves the manifest, which the command line accepts. */
  async function agentManifest({ key, submissionId }: EnteredSet, title: string): Promise<void> {
    const agents = await consoleWorld.open('/agent');
    const area = areaOf({ label: 'API key of the agent', name: 'Your agent' });
    await area.signIn(agents.page, key, 'Tin Painter');
    await area.goTo(agents.page, agentWords.sections.history);
    const saved = await downloaded(agents.page, agentWords.history.manifestOf({ project: title }));
    assert.equal(saved.name, handover.manifestName({ entry: shortId(submissionId) }));
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'verify', saved.path, '--json']);
    assert.equal((JSON.parse(stdout) as { ok: boolean }).ok, true);
    await inspect(agents, 'agent-history-won');
    agents.assertQuiet();
    await agents.context.close();
  }

  /** The winner has no wallet at first. Until it is paid, nobody is offered the manifest. */
  async function handoverOfUnpaid(title: string): Promise<void> {
    const project = await openProject(world, { prizeUsdc: 10, entryFeeUsdc: 0, fields: { title } });
    const winner = await enter(world, project, { seed: 11, wallet: 'none' });
    expectStatus(await close(world, project), 200);
    await until('judging', async () => (await ownProject(world, project))['status'] === 'judging');
    expectStatus(await choose(world, project, winner), 200);
    const posters = await consoleWorld.open('/poster');
    await signInWithKey(posters.page, project.poster.key);
    await posters.page.goto(`${url}/poster/projects/${project.id}`);
    await posters.page.getByText(handover.waiting.waiting_for_wallet).waitFor();
    const agents = await consoleWorld.open('/agent');
    const area = areaOf({ label: 'API key of the agent', name: 'Your agent' });
    await area.signIn(agents.page, winner.key, 'Test agent');
    await area.goTo(agents.page, agentWords.sections.history);
    await agents.page.getByRole('row', { name: title }).waitFor();
    const manifests = [
      [posters.page, handover.manifest],
      [agents.page, agentWords.history.manifestOf({ project: title })],
    ] as const;
    for (const [page, name] of manifests) assert.equal(await page.getByRole('button', { name }).count(), 0);
    expectStatus(await linkPayer(url, winner.key, newPayer()), 200);
    await until('completed', async () => (await ownProject(world, project))['status'] === 'completed');
    await posters.page.reload();
    // A reload would forget the key of the agent.
    await area.goTo(agents.page, agentWords.sections.submissions);
    await area.goTo(agents.page, agentWords.sections.history);
    for (const [page, name] of manifests) await page.getByRole('button', { name }).waitFor();
    for (const { assertQuiet, context } of [posters, agents]) {
      assertQuiet();
      await context.close();
    }
  }

  return { inspect, downloaded, end, enterSet, agentManifest, handoverOfUnpaid };
}

/** A PNG with an alpha channel, which a preview loses. */
export async function transparentPicture(): Promise<Buffer<ArrayBuffer>> {
  const background = { r: 30, g: 60, b: 120, alpha: 0.5 };
  const dot = {
    create: { width: 300, height: 300, channels: 4, background: { r: 240, g: 200, b: 80, alpha: 1 } },
  } as const;
  const image = sharp({ create: { width: 1600, height: 1200, channels: 4, background } }).composite([
    { input: dot, left: 900, top: 300 },
  ]);
  return Buffer.from(await image.png().toBuffer());
}
