import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import {
  agent as agentWords,
  handover as words,
  market as marketWords,
  messages,
  operator as operatorWords,
  poster as posterWords,
  rights,
} from '../../console/messages/public.ts';
import { call, fund, newPayer } from '../support/clients/client.ts';
import { asPoster, enter } from '../support/clients/contestants.ts';
import { expectStatus, openProject, testPicture } from '../support/clients/journey.ts';
import { PAYING, posterSteps } from '../support/console/console-poster-steps.ts';
import { areaOf } from '../support/console/console-signed-in.ts';
import { deliverySteps, transparentPicture } from '../support/console/console-delivery-steps.ts';
import { type OpenPage, skip, startConsoleWorld } from '../support/console/console-world.ts';

// A poster's purchase in the browser: rights and terms before, the original files and their proofs after the award.

const run = promisify(execFile);
const CLI = join(import.meta.dirname, '..', '..', 'cli', 'src', 'concours.ts');
const HOUR_MS = 3_600_000;
const UNAVAILABLE = /502/;

const consoleWorld = await startConsoleWorld({
  env: {
    TERMS_URL: 'https://market.example/terms',
    TERMS_VERSION: '2026-11',
    PRIVACY_URL: 'https://market.example/privacy',
    CONTACT_URL: 'mailto:desk@market.example',
    LIMIT_POSTER_PER_MINUTE: '100000',
    LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000',
    LIMIT_PUBLIC_READS_PER_MINUTE: '100000',
  },
});

describe('the delivery in a browser', { skip }, () => {
  assert.ok(consoleWorld);
  const { world, open } = consoleWorld;
  const { url, service, operatorKey } = world;
  const { visit, signIn, signInWithKey, write, publishButton, openedProject } = posterSteps(consoleWorld);
  const { inspect, downloaded, end, enterSet, agentManifest, handoverOfUnpaid } = deliverySteps(consoleWorld);

  it('the poster states rights, publishes, chooses, and receives the original with its proofs', async () => {
    const payer = newPayer();
    const opened = await visit(payer);
    const { page } = opened;
    await page.locator('main a[href="https://market.example/terms"]').waitFor();
    await signIn(page);
    await write(page, { title: 'A lighthouse that is ours', prize: '40', fee: '0.25' });
    assert.ok(await page.getByLabel(rights.licences.assignment.name).isChecked());
    await page.getByLabel(rights.licences['CC-BY-4.0'].name).check();
    await page.getByLabel(rights.galleries.winner_only.name).check();
    await page.getByText(posterWords.save.saved).waitFor();
    await page.reload();
    await page.getByText(posterWords.save.saved).waitFor();
    assert.ok(await page.getByLabel(rights.licences['CC-BY-4.0'].name).isChecked());
    assert.ok(await page.getByLabel(rights.galleries.winner_only.name).isChecked());
    await inspect(opened, 'rights-draft');
    await fund(url, payer.address, 40);
    await publishButton(page).click();
    const id = await openedProject(page);
    await page.getByText(rights.licences['CC-BY-4.0'].name).first().waitFor();
    await publicTerms(id);

    const picture = await transparentPicture();
    await enter(world, { id }, { seed: 9 });
    const { submissionId } = await enter(world, { id }, { picture });
    await page.getByText(posterWords.gallery.loaded({ shown: 2, total: 2, all: 'true' })).waitFor();
    await page.getByText(posterWords.gallery.watermarked).waitFor();
    await page.getByText(posterWords.facts.rules).click();
    await page.getByRole('heading', { name: rights.terms.title }).waitFor();
    await inspect(opened, 'rights-open');
    await page.getByRole('button', { name: posterWords.actions.close }).click();
    await page.getByRole('dialog').getByRole('button', { name: posterWords.actions.close }).click();
    await page.getByText(posterWords.facts.judgeUntil).waitFor();
    await page.locator(`[data-entry="${submissionId}"]`).click();
    await page.getByRole('button', { name: posterWords.viewer.choose }).click();
    const pay = posterWords.award.confirm({ amount: '38.00' });
    await page.getByRole('dialog').getByRole('button', { name: pay }).click();

    await page.getByRole('button', { name: messages.files.original }).waitFor();
    assert.equal(await page.locator('main h2').first().textContent(), words.title({ pictures: 1 }));
    await page.getByText(posterWords.gallery.bought).waitFor();
    await inspect(opened, 'handover');
    const original = await downloaded(page, messages.files.original);
    assert.equal(original.name, 'entry.png');
    assert.ok(original.content.equals(picture));
    const sha256 = createHash('sha256').update(picture).digest('hex');
    const hash = messages.files.sha256Of({ name: 'entry.png' });
    const shown = page.getByRole('button', { name: messages.copy.copy({ what: hash }) });
    assert.equal(await shown.getAttribute('title'), sha256);
    const manifest = await downloaded(page, words.manifest);
    assert.equal(manifest.name, words.manifestName({ entry: submissionId.slice(-8) }));
    const { stdout } = await run(process.execPath, [CLI, 'verify', manifest.path, original.path, '--json']);
    const verified = JSON.parse(stdout) as { ok: boolean; manifest: Record<string, unknown> };
    assert.equal(verified.ok, true);
    assert.equal(verified.manifest['submission_id'], submissionId);
    await receipt(opened, { sha256, payoutTx: String(verified.manifest['payout_tx']) });
    await publicGallery(id);
    opened.assertQuiet(PAYING);
    await opened.context.close();
  });

  /** Checks the rights, the terms, and the links of the operator on the public page. */
  async function publicTerms(id: string): Promise<void> {
    const opened = await open(`/projects/${id}`);
    const { page, assertQuiet, context } = opened;
    await page.getByText(rights.licences['CC-BY-4.0'].means).waitFor();
    await page.getByText(rights.galleries.winner_only.means).waitFor();
    await page.getByText(rights.losers).waitFor();
    await page.getByText(marketWords.project.rules.silenceFee({ cap: '2.50 USDC' })).waitFor();
    const { body } = expectStatus(await call(url, 'GET', `/projects/${id}/terms`), 200);
    const { terms_hash: hash, canonical, licence_url: text } = body.data;
    assert.equal(hash, `sha256:${createHash('sha256').update(canonical).digest('hex')}`);
    const copy = page.getByRole('button', { name: messages.copy.copy({ what: rights.terms.hash }) });
    assert.equal(await copy.getAttribute('title'), hash);
    assert.equal(await page.getByRole('link', { name: rights.readLicence }).getAttribute('href'), text);
    for (const [name, href] of [
      [messages.footer.licences, `${url}/api/v1/licences`],
      [messages.footer.terms, 'https://market.example/terms'],
      [messages.footer.privacy, 'https://market.example/privacy'],
      [messages.footer.contact, 'mailto:desk@market.example'],
    ] as const)
      assert.equal(await page.getByRole('link', { name, exact: true }).getAttribute('href'), href);
    await inspect(opened, 'public-terms');
    assertQuiet();
    await context.close();
  }

  /** Checks the receipt on the screen and on paper, and returns to the project. */
  async function receipt(opened: OpenPage, { sha256, payoutTx }: { sha256: string; payoutTx: string }): Promise<void> {
    const { page } = opened;
    await page.getByRole('link', { name: words.receipt.title }).click();
    await page.getByRole('heading', { level: 1, name: words.receipt.title }).waitFor();
    await page.getByText(payoutTx).waitFor();
    await page.getByText(`SHA-256 ${sha256}`).waitFor();
    await inspect(opened, 'receipt');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.equal(await page.getByRole('banner').isVisible(), false);
    assert.equal(await page.getByRole('button', { name: words.receipt.print }).isVisible(), false);
    await opened.shoot('poster-receipt-print');
    const pdf = await page.pdf({ format: 'A4', printBackground: true });
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    assert.equal(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length, 1, 'the receipt fits on one page');
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  }

  async function publicGallery(id: string): Promise<void> {
    const opened = await open(`/projects/${id}`);
    const { page, assertQuiet, context } = opened;
    await page.getByRole('heading', { name: marketWords.project.gallery.title({ amount: 1 }) }).waitFor();
    await page.getByText(marketWords.project.gallery.winnerOnly).waitFor();
    await inspect(opened, 'public-winner-only');
    assertQuiet();
    await context.close();
  }

  it('a set: one entry with three pictures, and one ZIP', async () => {
    const fields = { item_count: 3, title: 'Three tins of tea', gallery: 'private' };
    const project = await openProject(world, { prizeUsdc: 10, entryFeeUsdc: 0, fields });
    const set = await enterSet(project, 3);
    const opened = await open('/poster');
    const { page, assertQuiet, context } = opened;
    await signInWithKey(page, project.poster.key);
    await page.goto(`${url}/poster/projects/${project.id}`);
    const items = posterWords.gallery.items({ amount: 3 });
    await page.locator('[data-entry]').getByText(items).waitFor();
    await page.locator('[data-entry]').click();
    const dialog = page.getByRole('dialog');
    const strip = dialog.getByRole('list', { name: items });
    await strip.waitFor();
    const source = () => dialog.locator('img').first().getAttribute('src');
    const first = await source();
    await page.keyboard.press('ArrowDown');
    await strip.getByRole('button', { name: posterWords.viewer.item({ item: 2, all: 3 }), pressed: true }).waitFor();
    assert.notEqual(await source(), first);
    await inspect(opened, 'set-viewer', 'window');
    await page.keyboard.press('Escape');
    const other = await enterSet(project, 2);
    await page.reload();
    for (const { submissionId } of [set, other]) {
      await page.locator(`[data-entry="${submissionId}"]`).focus();
      await page.keyboard.press('c');
    }
    await page.getByRole('button', { name: posterWords.gallery.compare({ marked: 2 }) }).click();
    for (const [name, last] of [
      [posterWords.compare.entry({ place: 1, title: '' }), 3],
      [posterWords.compare.entry({ place: 2, title: '' }), 2],
    ] as const) {
      const side = dialog.getByRole('region', { name });
      const shown = () => side.locator('img').first().getAttribute('src');
      const sources = new Set<string | null>();
      for (let item = 1; item <= last; item += 1) {
        await side.getByRole('button', { name: posterWords.viewer.item({ item, all: last }) }).click();
        sources.add(await shown());
      }
      assert.equal(sources.size, last, `each picture on the side ${name}`);
    }
    await inspect(opened, 'set-compare', 'window');
    await page.keyboard.press('Escape');
    await end(project, set);
    await page.reload();
    const zip = await downloaded(page, messages.files.all);
    await run('unzip', ['-tq', zip.path]);
    const files = await run('unzip', ['-Z1', zip.path]);
    assert.deepEqual(files.stdout.trim().split('\n'), ['01-tin-1.png', '02-tin-2.png', '03-tin-3.png']);
    const second = await downloaded(page, messages.files.downloadOf({ name: 'tin-2.png' }));
    assert.ok(second.content.equals(set.pictures[1] ?? assert.fail()));
    await inspect(opened, 'set-handover');
    await agentManifest(set, 'Three tins of tea');
    const visitor = await open(`/projects/${project.id}`);
    await visitor.page.getByText(marketWords.project.gallery.private).first().waitFor();
    await inspect(visitor, 'public-private');
    for (const each of [opened, visitor]) each.assertQuiet();
    await visitor.context.close();
    assertQuiet();
    await context.close();
  });

  it('the files and the manifest appear when the payout has settled on chain, and not before', async () => {
    await handoverOfUnpaid('Won without a wallet');
  });

  it('a changed original is named, and nothing else is sent in its place', async () => {
    const project = await openProject(world, { prizeUsdc: 10, fields: { title: 'Changed in the storage' } });
    const winner = await enter(world, project, { seed: 12 });
    await end(project, winner);
    const { db, storage } = service.deps;
    const [file] = await db<{ key: string }[]>`
      select original_key as key from media_files where submission_id = ${winner.submissionId} and status = 'completed'`;
    await storage.write(file?.key ?? assert.fail(), await testPicture(13), 'image/png');
    const opened = await open('/poster');
    const { page, assertQuiet, context } = opened;
    await signInWithKey(page, project.poster.key);
    await page.goto(`${url}/poster/projects/${project.id}`);
    await page.getByRole('button', { name: messages.files.original }).click();
    await page.getByRole('alert').filter({ hasText: 'The operator was alerted.' }).waitFor();
    await inspect(opened, 'handover-changed');
    assertQuiet(UNAVAILABLE);
    await context.close();
  });

  it('the terms of a project with places: versions with reasons, and the rules of silence', async () => {
    const deadline = new Date(world.clock.now().getTime() + HOUR_MS);
    const fields = { max_entries: 7, title: 'Versions' };
    const project = await openProject(world, { prizeUsdc: 10, entryFeeUsdc: 0.1, deadline, fields });
    const later = { auto_select_deadline: new Date(deadline.getTime() + HOUR_MS).toISOString() };
    expectStatus(await asPoster(world, project, ['PATCH', '', later]), 200);
    const opened = await open(`/projects/${project.id}`);
    const { page, assertQuiet, context } = opened;
    await page.getByText(marketWords.project.rules.places({ most: 7 })).waitFor();
    await page.getByText(marketWords.project.rules.silenceFee({ cap: '1.00 USDC' })).waitFor();
    await page.getByText(`Version 2: ${rights.terms.reasons.deadline_moved}`).waitFor();
    await page.getByText(`Version 1: ${rights.terms.reasons.opened}`).waitFor();
    const versions = (await call(url, 'GET', `/projects/${project.id}/terms`)).body.data.versions;
    for (const { version, terms_hash: hash } of versions) {
      const copy = page.getByRole('button', { name: messages.copy.copy({ what: rights.terms.hashOf({ version }) }) });
      assert.equal(await copy.getAttribute('title'), hash);
    }
    await inspect(opened, 'public-versions');
    assertQuiet();
    await context.close();
  });

  it('the operator opens originals with a reason, and an agent its own', async () => {
    const project = await openProject(world, { prizeUsdc: 10, fields: { title: 'In dispute' } });
    const entrant = await enter(world, project, { seed: 15 });
    const picture = await testPicture(15);
    const operators = await open(`/operator/projects/${project.id}`);
    await areaOf({ label: 'Operator key', name: 'Operator' }).signIn(operators.page, operatorKey, 'In dispute');
    const title = 'Lighthouse at dusk';
    await operators.page.getByRole('button', { name: operatorWords.project.filesOf({ title }) }).click();
    const dialog = operators.page.getByRole('dialog');
    await dialog.getByLabel(operatorWords.project.filesReason).fill('The poster claims a copy.');
    await dialog.getByRole('button', { name: operatorWords.project.files }).click();
    const opened = await downloaded(operators.page, messages.files.original);
    assert.ok(opened.content.equals(picture));
    await inspect(operators, 'operator-files');
    const trail = await call(url, 'GET', '/operator/audit?action=original.download', { key: operatorKey });
    assert.equal(trail.body.data.entries[0].reason, 'The poster claims a copy.');
    const agents = await open('/agent');
    const area = areaOf({ label: 'API key of the agent', name: 'Your agent' });
    await area.signIn(agents.page, entrant.key, 'Test agent');
    await area.goTo(agents.page, 'Submissions');
    await agents.page.getByRole('button', { name: agentWords.submissions.originalsOf({ title }) }).click();
    assert.ok((await downloaded(agents.page, messages.files.original)).content.equals(picture));
    await inspect(agents, 'agent-files', 'window');
    for (const { assertQuiet, context } of [operators, agents]) {
      assertQuiet();
      await context.close();
    }
  });
});
