import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { type Answer, call, newPayer, signPayment } from '../support/clients/client.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  ledger,
  openProject,
  type OpenProject,
  putPicture,
  registerAgent,
  testPicture,
} from '../support/clients/journey.ts';
import { type Asked, askUnder, closeEarly, moveDeadline, termsOf } from '../support/clients/terms.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Agents pay on two processes with one database while the poster changes the terms that their requests name.

const FUNDS_MICRO = 1_000_000;
const FEE_MICRO = 250_000;
const MANY = '1000000';
const ground = await prepareWorld({
  env: { LIMIT_AGENT_OPERATIONS_PER_HOUR: MANY, LIMIT_PAYMENTS_PER_HOUR: MANY, LIMIT_POSTER_PER_MINUTE: MANY },
});
const services = await Promise.all([ground.start(), ground.start()]);
const urls = services.map(({ url }) => url);
const url = urls[0]!;
const urlOf = (index: number) => urls[index % urls.length]!;
const market = { url, mintUsdc: ground.mintUsdc };
const picture = await testPicture();

type Signed = Asked & { address: string; headers: Record<string, string> };

const ask = (asked: Asked, headers: Record<string, string> = {}, at = url) => askUnder(at, asked, { headers });

/** Gives an agent an intent in the project, and a payment that it signed under the current terms. */
async function signed(projectId: string): Promise<Signed> {
  const { key } = await registerAgent(url);
  const { id: submissionId } = await createIntent(url, key, projectId);
  const asked = { key, projectId, submissionId, sizeBytes: picture.length, terms_hash: await hashOf(projectId) };
  const payer = newPayer();
  await ground.mintUsdc(payer.address, FUNDS_MICRO);
  const headers = await signPayment(payer, expectStatus(await ask(asked), 402));
  return { ...asked, address: payer.address, headers };
}

const hashOf = async (projectId: string, at = url): Promise<string> =>
  (await termsOf(at, projectId)).terms_hash as string;

const codeOf = ({ status, body }: Answer): string => (status === 200 ? '200' : String(body.error.code));

/** Each answer says the truth about the money, and every settled fee belongs to an answer 200. */
async function assertCharged(entries: Signed[], codes: string[], refusals: string[]): Promise<void> {
  for (const [index, entry] of entries.entries()) {
    const code = codes[index]!;
    assert.ok(code === '200' || refusals.includes(code), code);
    const [row] = await ground.db<[{ live: number }]>`
      select count(*)::integer as live from payments where subject_id = ${entry.submissionId} and state <> 'failed'`;
    const balance = await ground.chain.balanceMicro(entry.address);
    const expected = code === '200' ? [1, FUNDS_MICRO - FEE_MICRO] : [0, FUNDS_MICRO];
    assert.deepEqual([row.live, balance], expected, code);
  }
  assert.deepEqual((await ledger({ url, operatorKey: ground.operatorKey })).problems, []);
}

const moved = (project: OpenProject, hours: number, at: string) =>
  moveDeadline(at, project, new Date(Date.now() + hours * 3_600_000));

describe('a payment under terms that change meanwhile', () => {
  for (const delayMs of [0, 20, 60])
    it(`charges nobody after the deadline has moved (${delayMs} ms after the payments)`, async () => {
      const project = await openProject(market, { entryFeeUsdc: FEE_MICRO / 1e6 });
      const entries = await Promise.all(Array.from({ length: 6 }, () => signed(project.id)));
      const asked = entries.map((entry, index) => ask(entry, entry.headers, urlOf(index)));
      await sleep(delayMs);
      const change = expectStatus(await moved(project, 3, urlOf(1)), 200);
      const current = change.body.data.project.terms_hash as string;
      const codes = (await Promise.all(asked)).map(codeOf);
      await assertCharged(entries, codes, ['TERMS_CHANGED']);

      // Both processes know the new terms as soon as the change is answered.
      for (const at of urls) assert.equal(await hashOf(project.id, at), current);
      const late = entries.filter((_, index) => codes[index] === 'TERMS_CHANGED');
      for (const [index, entry] of late.entries()) {
        assert.equal(codeOf(await ask(entry, entry.headers, urlOf(index))), 'TERMS_CHANGED');
        expectStatus(await ask({ ...entry, terms_hash: current }, entry.headers, urlOf(index)), 200);
      }
    });

  it('charges nobody after an early close was announced', async () => {
    const project = await openProject(market, { entryFeeUsdc: FEE_MICRO / 1e6 });
    const first = await signed(project.id);
    const upload = expectStatus(await ask(first, first.headers), 200);
    assert.equal(await putPicture(upload.body.data.uploadUrl, picture), 200);
    expectStatus(await confirm(url, first.key, project.id, first.submissionId), 200);
    const entries = await Promise.all(Array.from({ length: 6 }, () => signed(project.id)));
    const asked = entries.map((entry, index) => ask(entry, entry.headers, urlOf(index)));
    await sleep(20);
    expectStatus(await closeEarly(urlOf(1), project), 200);
    const codes = (await Promise.all(asked)).map(codeOf);
    await assertCharged(entries, codes, ['TERMS_CHANGED', 'PROJECT_NOT_ACCEPTING', 'PROJECT_DEADLINE_PASSED']);
    const { versions } = await termsOf(url, project.id);
    assert.deepEqual(
      versions.map(({ reason }: { reason: string }) => reason),
      ['closes_early', 'opened'],
    );
  });

  it('numbers the versions without a gap if two processes change them at once', async () => {
    const project = await openProject(market, { entryFeeUsdc: FEE_MICRO / 1e6 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => moved(project, 2 + index, urlOf(index))),
    );
    const accepted = answers.filter(({ status }) => status === 200);
    const { terms, versions } = await termsOf(url, project.id);
    assert.deepEqual(
      versions.map(({ version }: { version: number }) => version),
      Array.from({ length: accepted.length + 1 }, (_, index) => accepted.length + 1 - index),
    );
    const shown = expectStatus(await call(url, 'GET', `/projects/${project.id}`), 200).body.data.project;
    assert.deepEqual([terms.deadline, versions[0].terms_hash], [shown.auto_select_deadline, shown.terms_hash]);
  });
});
