import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { keys as words, messages, poster as posterWords } from '../../console/messages/public.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { brief, expectStatus, registerPoster } from '../support/clients/journey.ts';
import { posterSteps } from '../support/console/console-poster-steps.ts';
import { settled } from '../support/console/console-signed-in.ts';
import { startConsoleWorld, skip } from '../support/console/console-world.ts';

// The page of a poster's keys. That of an agent's owner, which shares its parts, is in console-agent.test.ts.

const consoleWorld = await startConsoleWorld({
  env: { LIMIT_POSTER_PER_MINUTE: '100000', LIMIT_SIGN_INS_PER_HOUR: '1000' },
});

describe('the keys of a poster in the browser', { skip }, () => {
  assert.ok(consoleWorld);
  const { url } = consoleWorld.world;
  const { visit, signIn, signInWithKey, look } = posterSteps(consoleWorld);
  const reads = async (key: string) => (await call(url, 'GET', '/posters/me/projects', { key })).status;
  const rowOf = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

  async function openKeys(page: Page): Promise<void> {
    await page.getByRole('link', { name: words.title }).click();
    await page.getByRole('heading', { level: 1, name: words.title }).waitFor();
    await settled(page);
  }

  async function describeKey(page: Page, name: string, scope: 'read' | 'full') {
    await page.getByRole('button', { name: words.create.do }).click();
    const dialog = page.getByRole('dialog', { name: words.create.title });
    assert.equal(await dialog.getByRole('button', { name: words.create.do }).isDisabled(), true, 'without a name');
    await dialog.getByLabel(words.create.name).fill(name);
    await dialog.getByLabel(words.create.scope).selectOption(words.poster.scopes[scope]);
    await dialog.getByText(words.poster.meanings[scope]).waitFor();
    return dialog;
  }

  async function create(page: Page, name: string, scope: 'read' | 'full'): Promise<string> {
    const dialog = await describeKey(page, name, scope);
    await dialog.getByRole('button', { name: words.create.do }).click();
    await dialog.waitFor({ state: 'hidden' });
    const key = (await page.getByRole('status', { name: words.apiKey }).textContent()) ?? '';
    await page.getByRole('button', { name: words.shown }).click();
    await rowOf(page, name).waitFor();
    return key;
  }

  async function revoke(page: Page, name: string): Promise<void> {
    await rowOf(page, name).getByRole('button', { name: words.revoke }).click();
    const dialog = page.getByRole('dialog', { name: words.revokeTitle });
    await dialog.getByText(words.poster.revokeText).waitFor();
    await dialog.getByRole('button', { name: words.revoke }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  it('are created with a scope, shown once, and revoked, which ends their sessions', async () => {
    const opened = await visit(newPayer());
    const { page, context, assertQuiet } = opened;
    await signIn(page);
    await openKeys(page);
    await page.getByText(words.empty.title).waitFor();
    await look(page, 'no-keys', opened);

    const dialog = await describeKey(page, 'Dashboard', 'read');
    await look(page, 'new-key', opened, 'window');
    await dialog.getByRole('button', { name: words.create.do }).click();
    await dialog.waitFor({ state: 'hidden' });
    const shown = page.getByRole('status', { name: words.apiKey });
    const reader = (await shown.textContent()) ?? '';
    await look(page, 'key-shown-once', opened);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: /^Copy/ }).click();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), reader);
    await page.getByRole('button', { name: words.shown }).click();
    await shown.waitFor({ state: 'hidden' });
    await rowOf(page, 'Dashboard').getByText(words.never).first().waitFor();

    assert.equal(await reads(reader), 200);
    codeIs(await call(url, 'POST', '/posters/me/projects', { key: reader, body: brief() }), 403, 'KEY_SCOPE');
    const program = await create(page, 'Publisher', 'full');
    expectStatus(await call(url, 'POST', '/posters/me/projects', { key: program, body: brief() }), 201);
    const kept = JSON.stringify(await context.storageState({ indexedDB: true }));
    assert.ok(!kept.includes(reader) && !kept.includes(program), kept);

    const other = await visit(newPayer());
    await signInWithKey(other.page, program);
    await openKeys(other.page);
    await rowOf(other.page, 'Publisher').getByText(words.current).waitFor();
    await revoke(page, 'Publisher');
    await page.getByText(words.revoked).waitFor();
    await rowOf(page, 'Publisher').getByText(words.ended).waitFor();
    assert.equal(await reads(program), 401);
    await other.page.goto(`${url}/poster`);
    await other.page.getByRole('heading', { level: 1, name: posterWords.signIn.title }).waitFor();
    other.assertQuiet(/401/);
    await other.context.close();
    await look(page, 'keys', opened);
    assertQuiet();
    await context.close();
  });

  it('of scope read sign in to pages that say so, and offer no change of keys', async () => {
    const poster = await registerPoster(url);
    const body = { name: 'Dashboard', scope: 'read' };
    const made = await call(url, 'POST', '/posters/me/keys', { key: poster.key, body });
    const opened = await visit(newPayer());
    const { page, context, assertQuiet } = opened;
    await page.getByLabel(posterWords.signIn.name).waitFor();
    assert.equal(await page.getByText(posterWords.signIn.emailHint).count(), 0, 'the service sends no email');
    await signInWithKey(page, expectStatus(made, 201).body.data.apiKey);
    await page.getByText(posterWords.account.readOnly.title).waitFor();
    await openKeys(page);
    await rowOf(page, 'Dashboard').getByText(words.current).waitFor();
    assert.equal(await page.getByRole('button', { name: words.create.do }).count(), 0);
    assert.equal(await page.getByRole('button', { name: words.revoke }).count(), 0);
    await look(page, 'keys-read-only', opened);
    assertQuiet();
    await context.close();
  });

  it('warn before the last key of scope full ends, and the page signs out with it', async () => {
    const { key } = await registerPoster(url);
    const opened = await visit(newPayer());
    const { page, context, assertQuiet } = opened;
    await signInWithKey(page, key);
    await openKeys(page);
    await page.getByRole('button', { name: words.revoke }).click();
    const dialog = page.getByRole('dialog', { name: words.revokeTitle });
    await dialog.getByText(words.poster.revokeOwn).waitFor();
    await dialog.getByText(words.poster.revokeLast).waitFor();
    await look(page, 'revoke-last-key', opened, 'window');
    await dialog.getByText(messages.confirm.cancel, { exact: true }).click();
    await create(page, 'Publisher', 'full');
    await page
      .getByRole('row', { name: new RegExp(words.current) })
      .getByRole('button', { name: words.revoke })
      .click();
    await dialog.getByText(words.poster.revokeOwn).waitFor();
    assert.equal(await dialog.getByText(words.poster.revokeLast).count(), 0);
    await dialog.getByRole('button', { name: words.revoke }).click();
    await page.getByText(posterWords.signIn.expired).waitFor();
    assert.equal(await reads(key), 401);
    assertQuiet(/401/);
    await context.close();
  });
});
