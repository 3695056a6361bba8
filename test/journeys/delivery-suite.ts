import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import type { Output } from '../../contract/basics/operation.ts';
import type { deliveryOperations } from '../../contract/projects/delivery.ts';
import { type Answer, call, fund, newPayer } from '../support/clients/client.ts';
import { asPoster, choose, close } from '../support/clients/contestants.ts';
import { download, type Originals, sha256 } from '../support/files/delivery.ts';
import { codeIs } from '../support/clients/entries.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
} from '../support/clients/journey.ts';
import { type Kind, kind, kinds } from '../support/files/original-kinds.ts';
import { linkPayer } from '../support/clients/wallets.ts';
import { openerOf } from '../support/files/zip-opener.ts';
import { until } from '../support/processes/processes.ts';
import { draw } from '../support/test-pictures.ts';
import type { TestWorld } from '../support/worlds/service-world.ts';
import type { SharedWorld } from '../support/worlds/shared-world.ts';

type Entered = { id: string; key: string; submissionId: string; file: Kind };

const ITEMS = 3;

/** Enters files of every kind and a set, and follows them to the winner's poster, over one store. */
export async function deliveryJourney(store: string, world: SharedWorld | TestWorld): Promise<void> {
  const { url, operatorKey } = world;

  const folder = await mkdtemp(join(tmpdir(), 'concours-delivery-'));
  after(() => rm(folder, { recursive: true, force: true }));

  /** Enters with these files: the agent pays once, uploads each item, and confirms all of them together. */
  async function enterWith(projectId: string, [file, ...more]: [Kind, ...Kind[]]): Promise<Entered> {
    const agent = await registerAgent(url);
    const { id: submissionId } = await createIntent(url, agent.key, projectId);
    const payer = newPayer();
    await fund(url, payer.address, 1);
    for (const [index, { name, type, bytes }] of [file, ...more].entries()) {
      const answer = await call(url, 'POST', `/agents/projects/${projectId}/submissions/${submissionId}`, {
        key: agent.key,
        body: { fileName: name, fileType: type, fileSize: bytes.length, item: index + 1 },
        headers: { 'x-forwarded-for': '203.0.113.7' },
        fetch: payer.pay,
      });
      assert.equal(await putPicture(expectStatus(answer, 200).body.data.uploadUrl, bytes, type), 200);
    }
    expectStatus(await confirm(url, agent.key, projectId, submissionId), 200);
    expectStatus(await linkPayer(url, agent.key, payer), 200);
    return { ...agent, submissionId, file };
  }

  const project = await openProject(world, { entryFeeUsdc: 0, fields: { item_count: ITEMS } });
  // An entry of several files.
  const items: [Kind, ...Kind[]] = [kinds[0]!];
  for (let item = 2; item <= ITEMS; item++) {
    const drawn = draw(item + 100, 300, 200);
    const format = (['png', 'jpeg', 'webp'] as const)[item % 3]!;
    items.push(await kind(`item ${item}.${format}`, `image/${format}`, await drawn.toFormat(format).toBuffer()));
  }
  const entries: Entered[] = [await enterWith(project.id, items)];
  for (const file of kinds.slice(1)) entries.push(await enterWith(project.id, [file]));
  const [winner, loser] = entries as [Entered, Entered];

  const delivery = (submissionId: string) => asPoster(world, project, ['GET', `/submissions/${submissionId}/delivery`]);
  const ownFiles = ({ key, submissionId }: Pick<Entered, 'key' | 'submissionId'>) =>
    call(url, 'GET', `/agents/me/submissions/${submissionId}/files`, { key });
  const asOperator = (submissionId: string, reason = 'A dispute.', projectId = project.id) =>
    call(url, 'POST', `/operator/projects/${projectId}/submissions/${submissionId}/files`, {
      key: operatorKey,
      body: { reason },
    });
  const originalsOf = (answer: Answer) => expectStatus(answer, 200).body.data as Originals;

  async function records(submissionId: string): Promise<Record<string, unknown>[]> {
    const answer = await call(url, 'GET', `/operator/audit?subject=submission:${submissionId}`, { key: operatorKey });
    const all = expectStatus(answer, 200).body.data.entries as Record<string, unknown>[];
    return all.filter(({ action }) => String(action).startsWith('original.'));
  }

  describe(`an agent, over ${store}`, () => {
    it('gets its own file, byte for byte, from the confirmation on', async () => {
      for (const entry of entries.slice(1)) {
        const { files } = originalsOf(await ownFiles(entry));
        assert.deepEqual(
          files.map(({ item, file_name, content_type, size_bytes }) => [item, file_name, content_type, size_bytes]),
          [[1, entry.file.name, entry.file.type, entry.file.bytes.length]],
        );
        const { status, bytes, headers } = await download(files[0]!.url);
        assert.equal(status, 200);
        assert.ok(bytes.equals(entry.file.bytes), entry.file.name);
        assert.equal(files[0]!.sha256, sha256(entry.file.bytes).toString('hex'));
        assert.equal(headers.get('repr-digest'), `sha-256=:${sha256(bytes).toString('base64')}:`);
        assert.equal(headers.get('content-length'), String(bytes.length));
        assert.equal(headers.get('content-type'), entry.file.type);
        assert.equal(headers.get('cache-control'), 'no-store');
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.match(
          headers.get('content-disposition')!,
          new RegExp(`^attachment; filename=".*"; filename\\*=UTF-8''${encodeURIComponent(entry.file.name)}$`),
        );
      }
    });

    it('gets nothing before the confirmation', async () => {
      const agent = await registerAgent(url);
      const { id: submissionId } = await createIntent(url, agent.key, project.id);
      codeIs(await ownFiles({ ...agent, submissionId }), 404, 'FILE_NOT_FOUND');
    });
  });

  describe(`a poster, over ${store}`, () => {
    it('gets no original before the award is settled', async () => {
      for (const { submissionId } of entries) codeIs(await delivery(submissionId), 409, 'NOT_AWARDED');
      expectStatus(await close(world, project), 200);
      await until('judging', async () => {
        const shown = expectStatus(await asPoster(world, project, ['GET', '']), 200).body.data.project;
        return shown.status === 'judging';
      });
      for (const { submissionId } of entries) codeIs(await delivery(submissionId), 409, 'NOT_AWARDED');
      assert.deepEqual(await records(winner.submissionId), []);
    });

    it('receives every file of the winner, byte for byte, and no other', async () => {
      expectStatus(await choose(world, project, winner), 200);
      const data = await until('the award is settled', async () => {
        const answer = await delivery(winner.submissionId);
        return answer.status === 200 && (answer.body.data as Output<typeof deliveryOperations.getDelivery>);
      });
      assert.equal(data.files.length, ITEMS);
      const { sha256: textHash, ...licence } = data.licence ?? assert.fail();
      assert.deepEqual(licence, { id: 'assignment', version: 1, url: `${url}/api/v1/licences/assignment/1` });
      assert.equal(sha256((await download(licence.url)).bytes).toString('hex'), textHash);
      assert.equal(data.entry.agent.name, 'Test agent');
      assert.equal(data.previews.length, ITEMS);
      const { manifest } = expectStatus(
        await call(url, 'GET', `/agents/me/submissions/${winner.submissionId}/manifest`, { key: winner.key }),
        200,
      ).body.data;
      assert.equal(data.manifest, manifest, 'both sides get the same manifest');
      assert.deepEqual(
        decodeJwt<{ files: { sha256: string }[] }>(manifest).files.map((file) => file.sha256),
        data.files.map((file) => file.sha256),
      );
      for (const [index, file] of data.files.entries()) {
        assert.deepEqual([file.item, file.file_name], [index + 1, items[index]!.name.replaceAll('"', '_')]);
        const { bytes, status } = await download(file.url);
        assert.equal(status, 200);
        assert.ok(bytes.equals(items[index]!.bytes), file.file_name);
        assert.equal(sha256(bytes).toString('hex'), file.sha256);
      }
      for (const { submissionId } of entries.slice(1)) codeIs(await delivery(submissionId), 409, 'NOT_AWARDED');
    });

    it('receives all files in one ZIP, which the programs of a system open', async (context) => {
      const { zip_url: target } = originalsOf(await delivery(winner.submissionId));
      const { status, bytes, headers } = await download(target);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/zip');
      assert.equal(headers.get('content-length'), String(bytes.length));
      const path = join(folder, 'entry.zip');
      await writeFile(path, bytes);
      const opener = openerOf(path);
      assert.ok(opener ?? !process.env['CI'], '.ci/run installs python3');
      if (!opener) return context.skip('this machine has neither unzip nor python3');
      const names = opener.list();
      assert.equal(names.length, ITEMS);
      opener.extract(join(folder, 'opened'));
      for (const [index, name] of names.entries()) {
        assert.equal(Number(name.slice(0, 2)), index + 1);
        assert.ok((await readFile(join(folder, 'opened', name))).equals(items[index]!.bytes), name);
      }
    });

    it('has a record in the audit trail for each access', async () => {
      const all = await records(winner.submissionId);
      const [zip] = all;
      const { actor, action, details } = zip as { actor: string; action: string; details: Record<string, unknown> };
      assert.deepEqual([actor, action, details['zip']], [`poster:${project.poster.id}`, 'original.download', true]);
      assert.deepEqual(
        details['items'],
        items.map((_, index) => index + 1),
      );
      assert.ok(all.some(({ action: what, id }) => what === 'original.grant' && id === details['grant']));
      assert.equal(all.filter(({ action: what }) => what === 'original.download').length, ITEMS + 1);
    });
  });

  describe(`the operator, over ${store}`, () => {
    // test/security/delivery-matrix.test.ts has what the operator opens, and the records of it.
    it('needs an entry of the project and a reason', async () => {
      const missing = '01a1fd68-1a1d-7b89-b14d-8a21a36746c2';
      codeIs(await asOperator(missing), 404, 'SUBMISSION_NOT_FOUND');
      codeIs(await asOperator(loser.submissionId, 'A dispute.', missing), 404, 'PROJECT_NOT_FOUND');
      codeIs(await asOperator(loser.submissionId, ''), 400, 'VALIDATION_ERROR');
    });
  });
}
