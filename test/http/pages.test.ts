import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAtomFeed, parseJsonFeed } from 'feedsmith';
import sharp from 'sharp';
import { parseSitemap } from 'sitemap';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { QUOTA } from '../../console/entering/quota.ts';
import { market as marketText } from '../../console/messages/public.ts';
import { DAILY_QUOTA } from '../../server/agents/accounts/tiers.ts';
import { mountCrawled } from '../../server/http/front/crawled.ts';
import { siteOf } from '../../server/http/front/site.ts';
import { FIRST_TITLE } from '../../server/http/pages/page-head.ts';
import { InspectorBusy } from '../../server/pictures/decode-pool.ts';
import type { SharePicture } from '../../server/ports/pictures.ts';
import { call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { choose, close, type Contestant, enter } from '../support/clients/contestants.ts';
import { expectStatus, type OpenProject, openProject } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The answers that crawlers, link previews, and feed readers get, and the figures of the first page.

const drawn: SharePicture[] = [];
let busy = false;
const world = await startWorld({
  console: true,
  env: { LIMIT_POSTER_PER_MINUTE: '10000', SITE_NAME: 'Café “Créatif” & Söhne' },
  wrap: ({ renderSharePicture }) => ({
    renderSharePicture: async (picture) => {
      if (busy) throw new InspectorBusy();
      drawn.push(picture);
      return await renderSharePicture(picture);
    },
  }),
});
const { url, clock, errors, service } = world;

const HOSTILE = 'A mark </title><script>alert(1)</script> & "x"';
const open = await openProject(world, {
  prizeUsdc: 3,
  fields: { title: HOSTILE, description: `Draw <b>it</b>.\u0007 ${'x '.repeat(40)}` },
});
const done = await openProject(world, { prizeUsdc: 3 });
const hidden = await openProject(world, { prizeUsdc: 3, fields: { gallery: 'private' } });
const winners: { winner: Contestant; project: OpenProject }[] = [];
for (const project of [done, hidden]) {
  const winner = await enter(world, project);
  expectStatus(await close(world, project), 200);
  await until('judging', async () => (await statusOf(project.id)) === 'judging');
  winners.push({ winner, project });
}

async function statusOf(id: string): Promise<string> {
  return (await call(url, 'GET', `/projects/${id}`)).body.data.project.status;
}

const page = async (path: string) => {
  const response = await fetch(url + path, { headers: { accept: 'text/html' }, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const pictureOf = (text: string) => /property="og:image" content="([^"]+)"/.exec(text)?.[1]?.replace(url, '') ?? '';

describe('the picture of a link preview', () => {
  it('of an open project shows its title, and no entry', async () => {
    const { status, text } = await page(`/projects/${open.id}`);
    assert.equal(status, 200);
    assert.ok(
      text.includes(
        '<title>A mark &lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot; · Café “Créatif” &amp; Söhne</title>',
      ),
    );
    const response = await fetch(url + pictureOf(text));
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/jpeg']);
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    assert.deepEqual([width, height], [1200, 630]);
    assert.deepEqual([drawn.at(-1)?.title, drawn.at(-1)?.copy], [HOSTILE, null]);
  });

  it('shows no entry before the prize is paid, then the watermarked preview of the winner', async () => {
    const [{ winner, project } = assert.fail()] = winners;
    const before = await page(`/projects/${project.id}`);
    assert.equal((await fetch(url + pictureOf(before.text))).status, 200);
    assert.equal(drawn.at(-1)?.copy, null);
    for (const each of winners) {
      expectStatus(await choose(world, each.project, each.winner), 200);
      await until('completed', async () => (await statusOf(each.project.id)) === 'completed');
    }
    clock.offsetMs += 10_001;
    const after = await page(`/projects/${project.id}`);
    assert.notEqual(pictureOf(after.text), pictureOf(before.text), 'a new address');
    const picture = await fetch(url + pictureOf(after.text));
    assert.equal(picture.status, 200);
    const [file] = await service.deps.db`select id from media_files where submission_id = ${winner.submissionId}`;
    const marked = await service.deps.publicCopies.read(String(file?.['id']), 'marked-image');
    assert.ok(marked && drawn.at(-1)?.copy?.equals(marked));
  });

  it('of a private gallery never shows an entry', async () => {
    const { text } = await page(`/projects/${hidden.id}`);
    assert.equal((await fetch(url + pictureOf(text))).status, 200);
    assert.equal(drawn.at(-1)?.copy, null);
  });

  it('of an agent and of every fixed page exists; others are 404', async () => {
    const [{ winner } = assert.fail()] = winners;
    const agent = await page(`/agents/${winner.id}`);
    assert.match(agent.text, /: 1 win, 2\.85 USDC earned\./);
    for (const path of [pictureOf(agent.text), '/share/market.jpg', '/share/leaderboard.jpg', '/share/start.jpg'])
      assert.equal((await fetch(url + path)).status, 200, path);
    const missing = [
      '/share/none.jpg',
      '/share/projects/x.jpg',
      `/share/projects/${open.id}`,
      `/share/agents/${open.id}.jpg`,
    ];
    for (const path of missing) assert.equal((await fetch(url + path)).status, 404, path);
  });

  it('is drawn once for many requests; a busy service leads to the picture of the market', async () => {
    const before = drawn.length;
    const path = pictureOf((await page(`/projects/${open.id}`)).text);
    const all = await Promise.all(Array.from({ length: 20 }, () => fetch(url + path)));
    assert.ok(all.every(({ status }) => status === 200));
    assert.equal(drawn.length, before, 'kept in memory');
    const fresh = await openProject(world, { prizeUsdc: 1 });
    busy = true;
    const away = await page(`/share/projects/${fresh.id}.jpg`);
    busy = false;
    assert.deepEqual([away.status, away.headers.get('location')], [302, '/share/market.jpg']);
  });
});

describe('unknown addresses', () => {
  it('are a 404 with the console’s page', async () => {
    for (const path of [
      `/projects/${winners[0]?.winner.submissionId}`,
      '/projects/x',
      `/agents/${open.id}`,
      '/nothing',
    ]) {
      const { status, text } = await page(path);
      assert.deepEqual([status, /<title>([^·]+) ·/.exec(text)?.[1]], [404, 'Page not found'], path);
    }
  });
});

describe('the feeds of new briefs', () => {
  it('are valid, and linked from the head of each page', async () => {
    clock.offsetMs += 31_000;
    const head = (await page('/')).text;
    const read = async (path: string) => {
      assert.ok(head.includes(`href="${path}"`));
      const response = await fetch(url + path);
      return { type: response.headers.get('content-type'), text: await response.text() };
    };
    const atom = await read('/feed.atom');
    assert.match(atom.type ?? '', /^application\/atom\+xml/);
    const feed = parseAtomFeed(atom.text);
    assert.equal(feed.title?.value, 'New briefs on Café “Créatif” & Söhne');
    assert.ok(feed.id && feed.updated && feed.entries?.every(({ id, updated, title }) => id && updated && title));
    assert.deepEqual(feed.entries?.find(({ id }) => id?.endsWith(open.id))?.title?.value, HOSTILE);
    const json = parseJsonFeed(JSON.parse((await read('/feed.json')).text));
    assert.deepEqual(
      json.items?.map(({ url: link }) => link),
      feed.entries?.map(({ id }) => id),
    );
    assert.equal(json.items?.find(({ url: link }) => link?.endsWith(open.id))?.title, HOSTILE);
    assert.ok(!json.items?.some(({ url: link }) => link?.endsWith(done.id)), 'only open briefs');
  });
});

describe('the sitemap', () => {
  it('is valid, and has an index when it is too long for one file', async () => {
    const text = await (await fetch(`${url}/sitemap.xml`)).text();
    const links = (await parseSitemap(Readable.from([text]))).map((each) => each.url);
    assert.ok(links.includes(`${url}/projects/${open.id}`) && links.includes(`${url}/agents/start`));
    const small = new Hono();
    mountCrawled(small, { ...service.deps, guarded: (work) => work() }, siteOf(service.deps), 2);
    const index = await (await small.request('/sitemap.xml')).text();
    const files = [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, place = '']) => place.replace(url, ''));
    assert.match(index, /<sitemapindex /);
    const all: string[] = [];
    for (const file of files) {
      const part = await small.request(file);
      all.push(...(await parseSitemap(Readable.from([await part.text()]))).map((each) => each.url));
    }
    assert.deepEqual(all.toSorted(), links.toSorted());
    assert.equal((await small.request(`/sitemap-${files.length + 1}.xml`)).status, 404);
  });
});

describe('the files that browsers ask for', () => {
  it('exist, and carry the name of the service', async () => {
    const icon = await fetch(`${url}/favicon.ico`);
    assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/x-icon']);
    const manifest = await fetch(`${url}/manifest.webmanifest`);
    assert.equal(((await manifest.json()) as { name: string }).name, 'Café “Créatif” & Söhne');
    assert.match(await (await fetch(`${url}/docs`)).text(), /<title>API reference · Café “Créatif” &amp; Söhne</);
    assert.match(await (await fetch(`${url}/skill.md`)).text(), /^---\nname: concours-agent\n/);
  });
});

describe('the figures of the first page', () => {
  it('are what was paid, what is in escrow, and the winners that everybody may see', async () => {
    clock.offsetMs += 11_000;
    const { data } = expectStatus(await call(url, 'GET', '/market'), 200).body;
    // 2 prizes of 3 USDC, less 5%.
    assert.deepEqual([data.paid_out_micro, data.escrow_micro, data.open_projects], [5_700_000, 4_000_000, 2]);
    assert.deepEqual(
      data.winners.map((each: { project: { id: string } }) => each.project.id),
      [done.id],
    );
    const [{ paid_micro: paid, tx_hash: hash, entry }] = data.winners;
    assert.deepEqual([paid, entry.submission_id], [2_850_000, winners[0]?.winner.submissionId]);
    assert.match(hash, /^0x[0-9a-f]{64}$/);
    assert.equal((await fetch(entry.thumbnail_url)).status, 200);
  });
});

it('the console and the server say the same', () => {
  assert.equal(FIRST_TITLE, marketText.title);
  assert.deepEqual(QUOTA, DAILY_QUOTA);
});

it('the tests received every answer that these operations can give', () => {
  assert.deepEqual(notSeen('getMarket'), []);
  assert.deepEqual(errors, []);
});
