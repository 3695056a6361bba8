import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { call, fund, newPayer, signPayment } from '../support/clients/client.ts';
import { codeIs, type Entry, entriesOf, picture } from '../support/clients/entries.ts';
import { expectStatus, openProject, putPicture, requestUpload } from '../support/clients/journey.ts';
import { callOperation } from '../support/clients/requests.ts';
import { sharedDatabase } from '../support/worlds/shared-database.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

const world = await sharedWorld();
const { url } = world;
const db = sharedDatabase(world);
const { confirmOf, enter, richPayer, setDeadline, setStatus } = entriesOf({ url, db });
const project = await openProject(world);

const uploadBody = ({ key, projectId, submissionId }: Entry, body: unknown, fetchWith = fetch) =>
  callOperation(url, operations.requestUpload, {
    key,
    params: { project_id: projectId, submission_id: submissionId },
    body,
    fetch: fetchWith,
  });

describe('POST …/submissions/{submission_id}', () => {
  it('needs a payment, and then answers an upload URL', async () => {
    const entry = await enter(project.id);
    codeIs(await requestUpload(url, entry), 402, 'PAYMENT_REQUIRED');
    const { pay } = await richPayer();
    const paid = await requestUpload(url, { ...entry, fetch: pay });
    assert.equal(paid.status, 200);
    const { uploadUrl, fileName, mediaFileId, submissionId, expiresAt } = paid.body.data;
    assert.deepEqual([submissionId, fileName], [entry.submissionId, `${mediaFileId}.png`]);
    assert.ok(uploadUrl.startsWith(url));
    assert.ok(Date.parse(expiresAt) > Date.now() + 1_700_000);
    // The agent pays once: the same request needs no payment and replaces the URL.
    const again = await requestUpload(url, entry);
    assert.equal(again.status, 200);
    assert.notEqual(again.body.data.uploadUrl, uploadUrl);
    assert.equal(again.headers.get('payment-response'), null);
  });

  it('asks for the payment whatever the body is, and charges nobody for an invalid one', async () => {
    const entry = await enter(project.id);
    const bad = [
      undefined,
      {},
      { fileName: 'a.png', fileType: 'image/gif', fileSize: 10 },
      { fileName: '../../a.png', fileType: 'image/png', fileSize: 10 },
      { fileName: 'a.png', fileType: 'image/png', fileSize: 20 * 1024 * 1024 + 1 },
      { fileName: 'nodot', fileType: 'image/png', fileSize: 0.5 },
      { fileName: 'a.png', fileType: 'image/png', fileSize: 10, terms_hash: 7 },
    ];
    const payer = await richPayer();
    for (const body of bad) {
      codeIs(await uploadBody(entry, body), 402, 'PAYMENT_REQUIRED');
      codeIs(
        await uploadBody(entry, body, payer.pay),
        400,
        'VALIDATION_ERROR',
        /^Validation failed: (fileName|fileType|fileSize|terms_hash|body): /,
      );
    }
    assert.equal((await db`select id from payments where subject_id = ${entry.submissionId}`).length, 0);
    assert.equal((await requestUpload(url, { ...entry, fetch: payer.pay })).status, 200);
  });

  it('tells the price to a cold request, and then needs X-Forwarded-For with an address in it', async () => {
    const entry = await enter(project.id);
    const path = `/agents/projects/${entry.projectId}/submissions/${entry.submissionId}`;
    for (const cold of [{}, { body: {} }, { raw: '{' }])
      codeIs(await call(url, 'POST', path, { key: entry.key, ...cold }), 402, 'PAYMENT_REQUIRED');
    const priced = await requestUpload(url, { ...entry, headers: { 'x-forwarded-for': 'unknown' } });
    const payer = await richPayer();
    const signed = await signPayment(payer, priced);
    const pay = (headers: Record<string, string>) =>
      call(url, 'POST', path, { key: entry.key, body: {}, headers: { ...signed, ...headers } });
    codeIs(await pay({}), 400, 'VALIDATION_ERROR', /x-forwarded-for: the caller's IP address/);
    for (const forwarded of ['unknown', '', '999.1.1.1', '203.0.113.7:80', '<script>', 'x'.repeat(501)])
      codeIs(await pay({ 'x-forwarded-for': forwarded }), 400, 'VALIDATION_ERROR', /x-forwarded-for/);
    for (const forwarded of ['2001:db8::1', '203.0.113.7, 10.0.0.1', ' 203.0.113.7 '])
      codeIs(await pay({ 'x-forwarded-for': forwarded }), 400, 'VALIDATION_ERROR', /fileName/);
    assert.equal((await requestUpload(url, { ...entry, fetch: payer.pay })).status, 200);
    codeIs(await call(url, 'POST', path, { key: entry.key, body: {} }), 400, 'VALIDATION_ERROR', /x-forwarded-for/);
  });

  it('distinguishes a failed payment from a missing one', async () => {
    const entry = await enter(project.id);
    const poor = newPayer();
    const answer = await requestUpload(url, { ...entry, fetch: poor.pay });
    codeIs(answer, 402, 'PAYMENT_FAILED', /USDC|funds/);
    assert.ok(answer.headers.has('payment-required'));
    // The wallet that funded the project can never pay, so its balance does not matter.
    const funder = { ...entry, fetch: project.funder.pay };
    codeIs(await requestUpload(url, funder), 409, 'PROJECT_NOT_ACCEPTING', /status is open.* funded/);
    await fund(url, project.funder.address, 1);
    codeIs(await requestUpload(url, funder), 409, 'PROJECT_NOT_ACCEPTING');
  });

  it('needs an open project before its deadline', async () => {
    const { id } = await openProject(world);
    const entry = await enter(id);
    await setDeadline(id, -1);
    codeIs(await requestUpload(url, entry), 409, 'PROJECT_DEADLINE_PASSED');
    await setStatus(id, 'judging');
    codeIs(await requestUpload(url, entry), 409, 'PROJECT_NOT_ACCEPTING', /judging/);
  });

  it('replaces earlier URLs, which a confirmation says after a file went to one of them', async () => {
    const entry = await enter(project.id);
    const sizeBytes = picture.length;
    const earlier = await requestUpload(url, { ...entry, sizeBytes, fetch: (await richPayer()).pay });
    const newest = await requestUpload(url, { ...entry, sizeBytes });
    await putPicture(earlier.body.data.uploadUrl, picture);
    codeIs(await confirmOf(entry), 404, 'FILE_NOT_FOUND', /the newest upload URL.* which costs nothing/);
    await putPicture(newest.body.data.uploadUrl, picture);
    expectStatus(await confirmOf(entry), 200);
  });
});
