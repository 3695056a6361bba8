import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { call } from '../support/clients/client.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import { createIntent, openProject, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { callOperation } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The service checks in this order: authentication, limits, standing, required headers, path, query, body, resource,
// state. Each request below fails every check from some point on. The answer must name the first failed check.

const world = await startWorld({ env: { LIMIT_AGENT_OPERATIONS_PER_HOUR: '20', LIMIT_AGENT_READS_PER_MINUTE: '2' } });
const { url, service, clock, errors } = world;
const { db } = service.deps;
const { setStatus } = entriesOf(world);
const { createIntent: intent, requestUpload: upload, searchProjects, publishProject } = operations;
const badPath = { project_id: 'x', submission_id: 'y' };

describe('the order of checks', () => {
  it('applies to an intent', async () => {
    const { key } = await registerAgent(url);
    const { id } = await openProject(world);
    const all = { params: badPath, body: {} };
    codeIs(await callOperation(url, intent, all), 401, 'UNAUTHORIZED');
    codeIs(await callOperation(url, intent, { ...all, key: 'wrong' }), 401, 'INVALID_API_KEY');
    codeIs(await callOperation(url, intent, { ...all, key }), 400, 'INVALID_PARAMETER');
    codeIs(await callOperation(url, intent, { key, raw: '{' }), 400, 'VALIDATION_ERROR');
    codeIs(await callOperation(url, intent, { key, body: { title: 'Lighthouse' } }), 404, 'PROJECT_NOT_FOUND');
    await setStatus(id, 'judging');
    codeIs(await callOperation(url, intent, { key, params: { project_id: id }, body: {} }), 400, 'VALIDATION_ERROR');
    codeIs(
      await callOperation(url, intent, { key, params: { project_id: id }, body: { title: 'Lighthouse' } }),
      409,
      'PROJECT_NOT_ACCEPTING',
    );
  });

  it('applies to an upload request, whose body is checked after the payment', async () => {
    const agent = await registerAgent(url);
    const { key } = agent;
    const { id } = await openProject(world);
    const submission = await createIntent(url, key, id);
    const noHeader = (path: string) => call(url, 'POST', path, { key, raw: '{' });
    const wrong = { params: badPath, raw: '{', headers: { 'x-payment': 'nonsense' } };
    codeIs(await callOperation(url, upload, wrong), 401, 'UNAUTHORIZED');
    codeIs(await noHeader('/agents/projects/x/submissions/y'), 400, 'VALIDATION_ERROR', /x-forwarded-for/);
    codeIs(
      await callOperation(url, upload, { ...wrong, key }),
      400,
      'INVALID_PARAMETER',
      /project_id: .*submission_id: /,
    );
    const request = (params: Record<string, string>, headers = {}) =>
      callOperation(url, upload, { key, params, raw: '{', headers });
    codeIs(await request({ submission_id: submission.id }), 404, 'PROJECT_NOT_FOUND');
    codeIs(await request({ project_id: id }), 404, 'SUBMISSION_NOT_FOUND');
    const known = { project_id: id, submission_id: submission.id };
    codeIs(await request(known), 402, 'PAYMENT_REQUIRED');
    codeIs(await request(known, { 'x-payment': 'nonsense' }), 402, 'PAYMENT_FAILED');
    await setStatus(id, 'judging');
    codeIs(await request(known, { 'x-payment': 'nonsense' }), 409, 'PROJECT_NOT_ACCEPTING');
    await setStatus(id, 'open');
    await db`update agents set status = 'suspended' where id = ${agent.id}`;
    clock.offsetMs += 1000;
    codeIs(await noHeader('/agents/projects/x/submissions/y'), 403, 'AGENT_SUSPENDED');
  });

  it('checks the key first, then limits, then standing and everything else', async () => {
    const agent = await registerAgent(url);
    const search = (key: string) => call(url, 'GET', '/agents/projects?limit=x', { key });
    codeIs(await search(agent.key), 400, 'INVALID_PARAMETER');
    await db`update agents set status = 'suspended' where id = ${agent.id}`;
    clock.offsetMs += 1000;
    const suspended = await search(agent.key);
    codeIs(suspended, 403, 'AGENT_SUSPENDED');
    assert.equal(suspended.headers.get('x-ratelimit-remaining'), '0');
    codeIs(await search(agent.key), 429, 'RATE_LIMIT_EXCEEDED');
    codeIs(await search('wrong'), 401, 'INVALID_API_KEY');
    codeIs(await callOperation(url, searchProjects), 401, 'UNAUTHORIZED');
  });

  it('applies to a publication', async () => {
    const { id, poster } = await openProject(world);
    const other = await openProject(world);
    const pay = { 'payment-signature': 'nonsense' };
    codeIs(await callOperation(url, publishProject, { params: badPath, headers: pay }), 401, 'UNAUTHORIZED');
    codeIs(
      await callOperation(url, publishProject, { key: poster.key, params: badPath, headers: pay }),
      400,
      'INVALID_PARAMETER',
    );
    codeIs(
      await callOperation(url, publishProject, { key: poster.key, params: { project_id: other.id }, headers: pay }),
      404,
      'PROJECT_NOT_FOUND',
    );
    await setStatus(id, 'judging');
    codeIs(
      await callOperation(url, publishProject, { key: poster.key, params: { project_id: id }, headers: pay }),
      409,
      'PROJECT_STATE_CONFLICT',
    );
  });

  it('hides whether a resource exists while a limit is used up', async () => {
    const { key } = await registerAgent(url);
    const { id } = await openProject(world);
    const { id: submissionId } = await createIntent(url, key, id);
    for (let left = 19; left > 0; left -= 1) await callOperation(url, operations.confirmUpload, { key });
    codeIs(await requestUpload(url, { key, projectId: id, submissionId, sizeBytes: 10 }), 429, 'RATE_LIMITED');
    codeIs(await callOperation(url, upload, { key, params: badPath }), 429, 'RATE_LIMITED');
  });
});

it('logs no errors', () => {
  assert.deepEqual(errors, []);
});
