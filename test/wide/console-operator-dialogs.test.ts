import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { now } from '../support/money/authorizations.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { entriesOf } from '../support/clients/entries.ts';
import {
  drawing,
  expectStatus,
  ledger,
  openProject,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { enrolled, newOperator } from '../support/clients/operators.ts';
import { executeOutside } from '../support/money/strays.ts';
import { until } from '../support/processes/processes.ts';
import { ownProject } from '../support/endings/ending.ts';
import { operator } from '../support/console/console-operator-seed.ts';
import { MAXIMA_ENV, solid, words } from '../support/console/console-maxima.ts';
import { misfitsOf } from '../support/console/console-pages.ts';
import { areaOf, settled } from '../support/console/console-signed-in.ts';
import { type OpenPage, startConsoleWorld, skip } from '../support/console/console-world.ts';

// Opens every dialog of the operator's pages with the longest texts, runs axe on it, and measures it. Nothing is confirmed.

const HOUR_MS = 3_600_000;
const consoleWorld = await startConsoleWorld({
  env: {
    ...MAXIMA_ENV,
    APPROVAL_USDC: '20',
    PAYOUT_CAP_USDC: '10',
    AUTO_PAYOUT_HOLD_HOURS: '24',
  },
});
const { signIn, goTo } = areaOf({ label: 'Operator key', name: 'Operator' });
// Disable animations: axe would measure the contrast of a dialog that is fading in.
const CALM = { reducedMotion: 'reduce' } as const;
const WIDTHS = [320, 1440];
/** The answer to a check without a code, which the page asks for. */
const CODE_NEEDED = /403/;

describe('the dialogs of the operator pass axe', { skip }, async () => {
  assert.ok(consoleWorld);
  const { world } = consoleWorld;
  const { url, chain, clock, operatorKey: key, service } = world;
  const [ada, bob] = [await newOperator(world, 'money'), await newOperator(world, 'money')];
  const post = async (path: string, body: object, as = key, status = 201) =>
    expectStatus(await call(url, 'POST', path, { key: as, body }), status);

  await seedMoney();
  await seedPeople();
  // Moves the clock, after which new projects would need other deadlines.
  await seedParties();
  await sendUnknown();
  await lengthen();

  /** A result on hold with a copy, an objection, and two questions, one of them hidden; and a webhook that fails. */
  async function seedParties(): Promise<void> {
    const failing = createServer((_, response) => response.writeHead(500).end());
    await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve));
    after(() => failing.close());
    const deaf = await registerAgent(url, { agent_name: 'Deaf Ear' });
    const hook = `http://127.0.0.1:${(failing.address() as AddressInfo).port}/hooks/${solid(300)}`;
    await post('/agents/webhooks/projects', { webhook_url: hook }, deaf.key);
    const deadline = new Date(clock.now().getTime() + HOUR_MS);
    const fields = { title: 'A weather vane', judging_hours: 1 };
    const silent = await openProject(world, { prizeUsdc: 4, deadline, fields });
    for (const question of ['May it turn?', 'May it squeak?'])
      await post(`/agents/projects/${silent.id}/questions`, { question }, deaf.key);
    const { questions } = expectStatus(await call(url, 'GET', `/projects/${silent.id}/questions`), 200).body.data;
    await post(
      `/operator/questions/${questions[0].id}/visibility`,
      { hidden: true, reason: 'Not a question' },
      key,
      200,
    );
    const picture = await drawing(700);
    const first = await enter(world, silent, { picture });
    await enter(world, silent, { picture });
    await until('a flag', async () => (await operator(world, '/operator/flags')).flags.length > 0);
    const failed = '/operator/webhooks/deliveries';
    await until('a failed delivery', async () => (await operator(world, failed)).deliveries.length > 0);
    clock.offsetMs += HOUR_MS;
    await until('judging', async () => (await ownProject(world, silent))['status'] === 'judging');
    clock.offsetMs += HOUR_MS;
    await until('a result on hold', async () => (await ownProject(world, silent))['result_on_hold'] !== null);
    await post(`/agents/me/submissions/${first.submissionId}/objection`, { reason: solid(500) }, first.key);
  }

  /** Three held payouts, and a stray transfer. */
  async function seedMoney(): Promise<void> {
    for (const prizeUsdc of [15, 16, 17]) {
      const project = await openProject(world, { prizeUsdc });
      const winner = await enter(world, project, { picture: await drawing(700 + prizeUsdc) });
      expectStatus(await close(world, project), 200);
      expectStatus(await choose(world, project, winner), 200);
    }
    const held = '/operator/payouts?state=held';
    await until('held payouts', async () => (await operator(world, held)).payouts.length === 3);
    const { enter: intend, richPayer } = entriesOf(world);
    const open = await openProject(world);
    const [entry, payer] = [await intend(open.id), await richPayer()];
    await executeOutside(chain.rpcUrl, payer, await requestUpload(url, entry));
    await ledger(world);
  }

  /** A transfer that nothing explains, for the page of the recovery. */
  async function sendUnknown(): Promise<void> {
    const { treasury, facilitator, network } = service.deps;
    const transfer = await treasury.authorize({
      kind: 'payout',
      subjectId: randomUUID(),
      network: network.id,
      asset: network.usdc.address,
      recipient: newPayer().address,
      amountMicro: 100_000,
      nonce: `0x${randomBytes(32).toString('hex')}`,
      validBefore: now() + 300,
    });
    assert.equal((await facilitator.settle(transfer)).success, true);
  }

  /** An address, a request of each operator that waits for the other one, and an operator with codes. */
  async function seedPeople(): Promise<void> {
    await post('/operator/withdrawal-addresses', { address: newPayer().address, reason: words(500) });
    for (const { key: own } of [ada, bob]) {
      const { id } = await openProject(world, { prizeUsdc: 30, fields: { title: 'A dear one' } });
      await post(`/operator/projects/${id}/cancel`, { reason: solid(500) }, own, 202);
    }
    await enrolled(world, ada);
  }

  /** Gives every title and name its greatest length. They keep their beginnings, by which the tests find them. */
  async function lengthen(): Promise<void> {
    const { db } = service.deps;
    await db`update projects set title = left(title || ' ' || ${words(200)}, 200)`;
    await db`update submissions set title = left(title || ' ' || ${words(200)}, 200)`;
    await db`update agents set name = left(name || ${solid(100)}, 100)`;
    await db`update posters set name = left(name || ' ' || ${words(100)}, 100)`;
  }

  for (const view of ['light', 'dark'] as const) {
    const misfits: string[] = [];
    const openDialog = async ({ page, assertAccessible, shoot }: OpenPage, button: string | RegExp | Locator) => {
      const target = typeof button === 'string' || button instanceof RegExp ? named(page, button) : button;
      await target.click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await settled(page);
      const title = ((await dialog.getByRole('heading').first().textContent()) ?? '').replaceAll(/[^a-z]+/gi, '-');
      await shoot(`operator-dialog-${title}-${view}`.toLowerCase(), 'window');
      await assertAccessible();
      const window = page.viewportSize() ?? { width: 1280, height: 900 };
      for (const width of view === 'light' ? WIDTHS : []) {
        await page.setViewportSize({ ...window, width });
        await settled(page);
        misfits.push(...(await misfitsOf(page)).map((each) => `${title} at ${width}: ${each}`));
        await shoot(`operator-dialog-${title}-${width}`.toLowerCase(), 'window');
      }
      await page.setViewportSize(window);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    };
    const signedIn = async (as: string) => {
      const opened = await consoleWorld.open('/operator', view, CALM);
      await signIn(opened.page, as, 'Overview');
      return opened;
    };

    it(`${view}: money`, async () => {
      const opened = await signedIn(key);
      const { page } = opened;
      // The rows get the states that these dialogs belong to.
      await withStates(page, 'payouts', ['held', 'credited', 'ready']);
      await withStates(page, 'payments', ['failed', 'failed', 'failed']);
      await goTo(page, 'Payouts');
      for (const button of [
        /^Release payout: /,
        /^Send now: /,
        /^Retry now: /,
        'Release capped payouts',
        'Withdraw revenue',
        /^Release held payouts shown here/,
      ])
        await openDialog(opened, button);
      await goTo(page, 'Payments');
      await openDialog(opened, /^Re-check: /);
      await goTo(page, 'Stray transfers');
      await openDialog(opened, /^Return 0\.25 USDC/);
      await openDialog(opened, /^Return unclaimed transfers shown here/);
      await goTo(page, 'Withdrawal addresses');
      await openDialog(opened, 'Add address');
      await openDialog(opened, /^Remove 0x/);
      await goTo(page, 'Recovery');
      await openDialog(opened, 'Run recovery');
      await page.getByRole('button', { name: 'Check only' }).click();
      await openDialog(opened, /^Adopt the transfer of/);
      opened.assertQuiet();
      await opened.context.close();
    });

    it(`${view}: projects, disputes, and accounts`, async () => {
      const opened = await signedIn(key);
      const { page } = opened;
      await goTo(page, 'Flags');
      await openDialog(opened, /^Decide about /);
      await goTo(page, 'Objections');
      await openDialog(opened, /^Uphold objection /);
      await openDialog(opened, /^Dismiss objection /);
      await goTo(page, 'Deliveries');
      await openDialog(opened, /^Disable the webhook at/);
      await goTo(page, 'Projects');
      await page.getByRole('link', { name: /^A weather vane/ }).click();
      await page.getByRole('button', { name: 'Hide question' }).waitFor();
      for (const button of [
        'Release payout',
        'Hold payout',
        'Share prize',
        'Cancel project',
        /^Award prize to /,
        /^Disqualify /,
        /^Original files of /,
        'Hide question',
        'Show question',
      ])
        await openDialog(opened, button);
      await goTo(page, 'Agents');
      await page.getByRole('link', { name: /^Deaf Ear/ }).click();
      await openDialog(opened, 'Change status');
      await openDialog(opened, 'Disable webhook');
      await goTo(page, 'Posters');
      await page.getByRole('table').getByRole('link').first().click();
      await openDialog(opened, 'Suspend');
      opened.assertQuiet();
      await opened.context.close();
    });

    it(`${view}: operators and approvals`, async () => {
      const opened = await signedIn(key);
      await goTo(opened.page, 'Operators');
      await openDialog(opened, 'Add operator');
      await openDialog(opened, `Revoke the key of ${bob.name}`);
      opened.assertQuiet();
      await opened.context.close();

      const own = await signedIn(ada.key);
      const { page } = own;
      await goTo(page, 'Operators');
      await openDialog(own, 'Turn codes off');
      await page
        .getByRole('navigation', { name: 'Operator: sections' })
        .getByRole('link', { name: /^Approvals/ })
        .click();
      await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
      for (const button of [/^Approve: Cancel project/, /^Reject: Cancel project/, /^Withdraw request: Cancel project/])
        await openDialog(own, button);
      await goTo(page, 'Recovery');
      await openDialog(own, 'Check only');
      own.assertQuiet(CODE_NEEDED);
      await own.context.close();
    });

    it(`${view}: the texts fit`, () => assert.deepEqual(misfits, []));
  }
});

function named(page: Page, name: string | RegExp): Locator {
  return page
    .getByRole('main')
    .getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
    .first();
}

/** Lets the first rows of a list have these states in the browser. */
async function withStates(page: Page, list: 'payouts' | 'payments', states: string[]): Promise<void> {
  await page.route(
    ({ pathname }) => pathname === `/api/v1/operator/${list}`,
    async (route) => {
      const response = await route.fetch();
      const body: { data: Record<string, { state: string }[]> } = await response.json();
      const rows = body.data[list] ?? [];
      for (const [index, state] of states.entries()) {
        const row = rows[index];
        if (row) row.state = state;
      }
      await route.fulfill({ response, json: body });
    },
  );
}
