import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'node:test';
import { textsOf } from '../../contract/projects/brief.ts';
import { canonicalize } from 'json-canonicalize';
import { call } from '../support/clients/client.ts';
import { close, enter } from '../support/clients/contestants.ts';
import { codeIs, picture } from '../support/clients/entries.ts';
import { expectStatus, openProject, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { moveDeadline, termsOf } from '../support/clients/terms.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// The terms of a project over HTTP, to which its poster and its agents agree.

const world = await sharedWorld();
const { url } = world;

const sha256 = (text: string) => hash('sha256', text);
const read = (path: string) => call(url, 'GET', path);
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

describe('the terms of an open project', () => {
  it('have a hash that another RFC 8785 package recomputes, and are the same everywhere', async () => {
    const fields = {
      title: 'Éclair "at" dusk \\ 🥐',
      requirements: 'Line\nbreak,  , \u0001',
      style_references: ['https://example.com/?a=1&b="2"'],
      color_preferences: ['#00f', 'ünïcode'],
      tags: ['b', 'a'],
      max_entries: 12,
      item_count: 3,
      licence: 'exclusive',
      gallery: 'winner_only',
    };
    const project = await openProject(world, { prizeUsdc: 2, fields });
    const shown = await termsOf(url, project.id);
    const { terms, canonical, brief: texts } = shown;
    assert.equal(canonicalize(terms), canonical);
    assert.equal(`sha256:${sha256(canonicalize(terms))}`, shown.terms_hash);
    assert.equal(sha256(canonicalize(texts)), terms.brief_sha256);
    assert.deepEqual([shown.version, shown.reason, terms.version, shown.versions.length], [1, 'opened', 1, 1]);

    const { key } = await registerAgent(url);
    const detail = expectStatus(await call(url, 'GET', `/agents/projects/${project.id}`, { key }), 200).body.data
      .project;
    assert.deepEqual([detail.terms, detail.terms_hash, detail.terms_version], [terms, shown.terms_hash, 1]);
    const specializations = detail.specializations.map(({ id }: { id: string }) => id);
    const own = { ...textsOf(detail), project_type_id: 'image', specializations, tags: detail.metadata.tags };
    assert.equal(sha256(canonicalize(own)), terms.brief_sha256);

    const intent = expectStatus(
      await call(url, 'POST', `/agents/projects/${project.id}/intent`, { key, body: { title: 'Dusk' } }),
      201,
    ).body.data;
    assert.deepEqual([intent.terms, intent.terms_hash], [terms, shown.terms_hash]);
    const entry = { key, projectId: project.id, submissionId: intent.submission.id as string };
    const refusal = expectStatus(await requestUpload(url, { ...entry, sizeBytes: picture.length }), 402);
    assert.equal((refusal.body as { project: { terms_hash: string } }).project.terms_hash, shown.terms_hash);
    const { accepts } = refusal.body as { accepts: { payTo: string; asset: string; maxAmountRequired: string }[] };
    assert.deepEqual(
      [accepts[0]?.payTo, accepts[0]?.asset, accepts[0]?.maxAmountRequired],
      [terms.pay_to, terms.asset, String(terms.entry_fee_micro)],
    );
    const publicly = expectStatus(await read(`/projects/${project.id}`), 200).body.data.project;
    const poster = { key: project.poster.key };
    const owned = expectStatus(await call(url, 'GET', `/posters/me/projects/${project.id}`, poster), 200).body.data
      .project;
    for (const view of [detail, publicly, owned])
      assert.deepEqual(
        [view.licence, view.gallery, view.terms_hash, view.terms_version],
        ['exclusive', 'winner_only', shown.terms_hash, 1],
      );
  });

  it('name a license whose text has the hash in the terms', async () => {
    const { body } = expectStatus(await read('/licences'), 200);
    for (const licence of ['assignment', 'exclusive', 'CC-BY-4.0', 'CC0-1.0']) {
      const { id } = await openProject(world, { fields: { licence } });
      const { terms, licence_url } = await termsOf(url, id);
      const response = await fetch(licence_url as string);
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/markdown; charset=utf-8']);
      const text = await response.text();
      assert.equal(sha256(text), terms.licence.sha256);
      assert.equal((await read(`/licences/${licence}/${terms.licence.version}`)).body, text);
      const listed = body.data.licences.find(({ url: address }: { url: string }) => address === licence_url);
      assert.deepEqual(listed, { ...terms.licence, url: licence_url });
    }
    codeIs(await read('/licences/assignment/2'), 404, 'NOT_FOUND');
    for (const path of ['/licences/none/1', '/licences/README/1', '/licences/..%2Fagents/1', '/licences/exclusive/one'])
      codeIs(await read(path), 400, 'INVALID_PARAMETER');
  });

  it('get a new version with its reason for a later deadline and for an early close, and for nothing else', async () => {
    const project = await openProject(world);
    const first = await termsOf(url, project.id);
    const later = inHours(5);
    // The first answer may have been lost.
    for (let times = 1; times <= 2; times += 1) expectStatus(await moveDeadline(url, project, later), 200);
    codeIs(await moveDeadline(url, project, inHours(4)), 400, 'VALIDATION_ERROR');
    const moved = await termsOf(url, project.id);
    assert.deepEqual([moved.version, moved.reason], [2, 'deadline_moved']);
    const { version: _, deadline, ...others } = moved.terms;
    const { version: __, deadline: before, ...unchanged } = first.terms;
    assert.deepEqual(others, unchanged);
    const { project: shown } = expectStatus(await read(`/projects/${project.id}`), 200).body.data;
    assert.deepEqual([deadline, shown.terms_hash], [shown.auto_select_deadline, moved.terms_hash]);
    assert.ok(Date.parse(before) < Date.parse(deadline));

    await enter(world, project);
    assert.equal((await termsOf(url, project.id)).version, 2);
    expectStatus(await close(world, project), 200);
    const closed = await termsOf(url, project.id);
    assert.deepEqual([closed.version, closed.reason], [3, 'closes_early']);
    const after = expectStatus(await read(`/projects/${project.id}`), 200).body.data.project;
    assert.deepEqual([closed.terms.closes_at, closed.terms_hash], [after.closes_at, after.terms_hash]);
    assert.deepEqual({ ...closed.terms, version: 2, closes_at: null }, moved.terms);
    assert.deepEqual(
      closed.versions.map((each: Record<string, unknown>) => [each.version, each.reason, each.terms_hash]),
      [closed, moved, first].map((each) => [each.version, each.reason, each.terms_hash]),
    );
    for (const each of [first, moved, closed]) {
      const again = await termsOf(url, project.id, each.version as number);
      assert.deepEqual([again.terms, again.terms_hash, again.canonical], [each.terms, each.terms_hash, each.canonical]);
      assert.equal(`sha256:${sha256(canonicalize(again.terms))}`, again.terms_hash);
    }
    codeIs(await read(`/projects/${project.id}/terms?version=4`), 404, 'TERMS_NOT_FOUND', /the newest is 3/);
    for (const version of ['0', 'x', '1.5', '-1', '9999999'])
      codeIs(await read(`/projects/${project.id}/terms?version=${version}`), 400, 'INVALID_PARAMETER');
  });

  it('follow the texts, which change until the first intent that is not deleted', async () => {
    const project = await openProject(world);
    const change = (title: string) =>
      call(url, 'PATCH', `/posters/me/projects/${project.id}`, { key: project.poster.key, body: { title } });
    const first = await termsOf(url, project.id);
    for (let times = 1; times <= 2; times += 1) expectStatus(await change('A pier at noon'), 200);
    const changed = await termsOf(url, project.id);
    assert.deepEqual([changed.version, changed.reason, changed.brief.title], [2, 'texts_changed', 'A pier at noon']);
    assert.equal(sha256(canonicalize(changed.brief)), changed.terms.brief_sha256);
    assert.notEqual(changed.terms.brief_sha256, first.terms.brief_sha256);
    assert.equal((await termsOf(url, project.id, 1)).brief, null);
    const { key } = await registerAgent(url);
    const path = `/agents/projects/${project.id}/intent`;
    const { body } = expectStatus(await call(url, 'POST', path, { key, body: { title: 'Pier' } }), 201);
    assert.equal(body.data.terms_hash, changed.terms_hash);
    codeIs(await change('A pier at night'), 403, 'UPDATE_FORBIDDEN', /title/);
    expectStatus(await change('A pier at noon'), 200);
    expectStatus(await call(url, 'DELETE', path, { key }), 200);
    expectStatus(await change('A pier at night'), 200);
  });
});
