import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { MAX_REFERENCES } from '../../contract/projects/references.ts';
import { call, fund, newPayer } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import {
  brief,
  expectStatus,
  putPicture,
  registerAgent,
  registerPoster,
  testPicture,
} from '../support/clients/journey.ts';
import { termsOf } from '../support/clients/terms.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// Reference pictures of briefs over HTTP.

const world = await sharedWorld();
const { url } = world;
const poster = await registerPoster(url);
const { key } = poster;
const png = await testPicture(7);

const draft = async (fields = {}) =>
  expectStatus(await call(url, 'POST', '/posters/me/projects', { key, body: { ...brief(), ...fields } }), 201).body.data
    .project.id as string;
const pathOf = (projectId: string) => `/posters/me/projects/${projectId}/references`;
const add = (projectId: string, file = {}) =>
  call(url, 'POST', pathOf(projectId), {
    key,
    body: { fileName: 'ours.png', fileType: 'image/png', fileSize: png.length, ...file },
  });
const confirm = (projectId: string, id: string) => call(url, 'POST', `${pathOf(projectId)}/${id}/confirm`, { key });
const list = async (projectId: string) =>
  expectStatus(await call(url, 'GET', `/posters/me/projects/${projectId}`, { key }), 200).body.data.references as {
    id: string;
    status: string;
    picture: { sha256: string; image_url: string } | null;
  }[];

async function attach(projectId: string, bytes = png): Promise<string> {
  const { upload_url, reference } = expectStatus(await add(projectId, { fileSize: bytes.length }), 201).body.data;
  assert.equal(await putPicture(upload_url, bytes), 200);
  expectStatus(await confirm(projectId, reference.id), 200);
  return reference.id as string;
}

async function publish(projectId: string): Promise<void> {
  const funder = newPayer();
  await fund(url, funder.address, 1);
  const path = `/posters/me/projects/${projectId}/publish`;
  expectStatus(await call(url, 'POST', path, { key, fetch: funder.pay }), 200);
}

describe('a reference picture', () => {
  it('is uploaded, confirmed once, shown to agents and visitors, and part of the terms', async () => {
    const id = await draft();
    const plain = await draft();
    const first = await attach(id);
    const second = await attach(id, await testPicture(8));
    const pending = expectStatus(await add(id), 201).body.data.reference;
    assert.equal(pending.status, 'pending');
    expectStatus(await confirm(id, first), 200);
    assert.deepEqual(
      (await list(id)).map((each) => [each.id, each.status]),
      [
        [first, 'ready'],
        [second, 'ready'],
        [pending.id, 'pending'],
      ],
    );
    await publish(id);
    const agent = await registerAgent(url);
    const asAgent = expectStatus(await call(url, 'GET', `/agents/projects/${id}`, { key: agent.key }), 200);
    const asVisitor = expectStatus(await call(url, 'GET', `/projects/${id}`), 200);
    for (const answer of [asAgent, asVisitor]) {
      const { reference_pictures: shown } = answer.body.data.project;
      assert.deepEqual(
        shown.map((each: { id: string }) => each.id),
        [first, second],
      );
      assert.deepEqual([shown[0].width, shown[0].height], [160, 120]);
      assert.equal(shown[0].sha256, hash('sha256', png));
      for (const address of [shown[0].image_url, shown[0].thumbnail_url]) {
        const picture = await fetch(address);
        assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/webp']);
        assert.ok((await picture.arrayBuffer()).byteLength > 0);
      }
    }
    const { terms } = await termsOf(url, id);
    assert.deepEqual(
      terms['reference_sha256s'],
      asVisitor.body.data.project.reference_pictures.map((each: { sha256: string }) => each.sha256),
    );
    await publish(plain);
    assert.equal('reference_sha256s' in (await termsOf(url, plain)).terms, false);
    // Frozen: nothing is added, confirmed, or removed.
    codeIs(await add(id), 409, 'PROJECT_STATE_CONFLICT');
    codeIs(await confirm(id, pending.id), 409, 'PROJECT_STATE_CONFLICT');
    codeIs(await call(url, 'DELETE', `${pathOf(id)}/${first}`, { key }), 409, 'PROJECT_STATE_CONFLICT');
    assert.equal((await list(id)).length, 2);
  });

  it('is refused by the inspection with the reason, and another file may follow', async () => {
    const id = await draft();
    const bad = Buffer.alloc(png.length, 7);
    const { upload_url, reference } = expectStatus(await add(id), 201).body.data;
    codeIs(await confirm(id, reference.id), 404, 'FILE_NOT_FOUND');
    assert.equal(await putPicture(upload_url, bad), 200);
    codeIs(await confirm(id, reference.id), 400, 'VALIDATION_ERROR');
    // Nobody decodes a refused file twice.
    codeIs(await confirm(id, reference.id), 404, 'FILE_NOT_FOUND');
    assert.equal(await putPicture(upload_url, png), 200);
    expectStatus(await confirm(id, reference.id), 200);
  });

  it('belongs to one project, and a brief has at most ten', async () => {
    const [id, other] = [await draft(), await draft()];
    const reference = await attach(id);
    codeIs(await confirm(other, reference), 404, 'MEDIA_FILE_NOT_FOUND');
    codeIs(await call(url, 'DELETE', `${pathOf(other)}/${reference}`, { key }), 404, 'MEDIA_FILE_NOT_FOUND');
    const more = await Promise.all(Array.from({ length: MAX_REFERENCES }, () => add(id)));
    assert.deepEqual(more.filter(({ status }) => status === 409).length, 1);
  });
});

it('is shared by a draft that names its project', async () => {
  const id = await draft({ prize_amount: 1 });
  const picture = await attach(id);
  await add(id);
  await publish(id);
  const copy = await draft({ pictures_of: id });
  assert.deepEqual(
    (await list(copy)).map((each) => each.id),
    [picture],
  );
  expectStatus(await call(url, 'DELETE', `${pathOf(copy)}/${picture}`, { key }), 200);
  assert.equal((await list(id)).length, 1, 'the source keeps its picture');
  const body = { ...brief(), pictures_of: id };
  const stranger = await registerPoster(url);
  codeIs(await call(url, 'POST', '/posters/me/projects', { key: stranger.key, body }), 404, 'PROJECT_NOT_FOUND');
});
