import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { createMediaUrls } from '../../pictures/urls/media-urls.ts';
import type { WithDeadline } from '../answers/deadline.ts';
import { mountMedia } from './media.ts';

const publicUrl = 'http://localhost';
const clock = { now: () => new Date('2026-03-01T12:00:00Z') };
const mediaUrls = createMediaUrls({ publicUrl, signingKey: randomBytes(32), clock });
const { imageUrl } = mediaUrls.of(randomUUIDv7(), { image: 'marked', thumbnail: 'marked' });
const picture = randomBytes(300_000);
/** Pictures do not wait for a database here. */
const withDeadline: WithDeadline = (work) => work;

/** How many pictures were read, of as many as were asked for. */
let reads = 0;

function app(): Hono<{ Bindings: HttpBindings }> {
  const made = new Hono<{ Bindings: HttpBindings }>();
  const publicCopies = {
    async read() {
      reads += 1;
      return picture;
    },
    prepare() {},
    async stop() {},
  };
  mountMedia(made, { clock, mediaUrls, publicCopies }, withDeadline);
  return made;
}

describe('pictures that are sent', () => {
  beforeEach(() => {
    reads = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => mock.timers.reset());

  it('arrive whole', async () => {
    const response = await app().request(imageUrl);
    assert.equal(response.headers.get('content-length'), '300000');
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), picture);
  });

  it('wait for memory; a client that reads too slowly is disconnected and frees it', async () => {
    const served = app();
    const slow = await Promise.all(Array.from({ length: 128 }, async () => await served.request(imageUrl)));
    assert.equal(reads, 128);
    // Begun, and then left alone.
    const reader = slow[0]!.body!.getReader();
    assert.equal((await reader.read()).value?.length, 65_536);
    const next = served.request(imageUrl);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(reads, 128, 'no room yet');
    // One that is read to its end makes room for one.
    await slow[1]!.arrayBuffer();
    assert.equal((await next).status, 200);
    assert.equal(reads, 129);
    mock.timers.tick(60_000);
    await assert.rejects(reader.read(), /read too slowly/);
    const after = await Promise.all(Array.from({ length: 120 }, async () => await served.request(imageUrl)));
    assert.ok(after.every(({ status }) => status === 200));
  });
});
