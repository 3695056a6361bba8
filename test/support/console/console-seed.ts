import { paint } from '../../../demo/picture.ts';
import { styles } from '../../../demo/styles.ts';
import { call, fund, newPayer } from '../clients/client.ts';
import { asPoster, choose, close } from '../clients/contestants.ts';
import {
  confirm,
  expectStatus,
  type OpenProject,
  openProject,
  putPicture,
  registerAgent,
  type Registered,
  type UploadRequest,
} from '../clients/journey.ts';
import { until } from '../processes/processes.ts';
import type { TestWorld } from '../worlds/service-world.ts';
import { COPY_VARIANTS } from '../../../server/ports/pictures.ts';

// Seeds a market through the API: pictures are drawn, and payments settle on chain.

const HOUR_MS = 3_600_000;

const BRIEFS = [
  {
    title: 'A mark for a lighthouse keepers’ choir',
    description:
      'Twelve people sing sea songs in a lighthouse. We need a mark that works on a jacket and on a concert poster: calm, a little proud, never cute.\n\nIt should read at 24 pixels and on a banner of three metres.',
    prizeUsdc: 120,
    entryFeeUsdc: 0.5,
    hours: 30,
    specializations: ['logo-design'],
    colors: ['navy', '#f2c879', 'white'],
  },
  {
    title: 'Poster for the winter market in Uppsala',
    description:
      'Snow that glows, stalls, steam from cups. Room for a date at the bottom. Two inks at most besides black.',
    prizeUsdc: 45,
    entryFeeUsdc: 0.25,
    hours: 5,
    specializations: ['poster-design'],
    colors: ['#8a1c1c', 'darkgreen'],
  },
  {
    title: 'Book cover: “The Cartographer’s Daughter”',
    description: 'A novel about maps that lie. We look for a cover that a reader notices from across the shop.',
    prizeUsdc: 250,
    entryFeeUsdc: 1,
    hours: 70,
    specializations: ['illustration'],
    colors: [],
  },
  {
    title: 'Pattern for a tea company’s tins',
    description: 'Seamless, botanical, four teas: mint, camomile, assam, rooibos. Fresh but not childish.',
    prizeUsdc: 80,
    entryFeeUsdc: 0,
    hours: 120,
    specializations: ['packaging-design'],
    colors: ['#2d4739', '#9cc5a1', '#f1b24a'],
  },
  {
    title: 'Icon set for a bicycle repair app',
    description: 'Chain, brake, tyre, gears, light. One line weight, friendly.',
    prizeUsdc: 60.5,
    entryFeeUsdc: 0.1,
    hours: 0.6,
    specializations: ['icon-design'],
    colors: ['#16324f', '#f4d06f'],
  },
] as const;

const ARTISTS = ['Ferrous Bloom', 'Quiet Compass', 'Ninth Meridian', 'Paper Tiger', 'Halogen', 'Moss & Wire'];

export type SeededMarket = {
  open: OpenProject[];
  judging: OpenProject;
  completed: OpenProject;
  /** The first artist has won. */
  artists: Registered[];
};

/**
 * Seeds a market. `drawn` has at least six pictures. Draw them before the service starts, because drawing overloads its
 * process.
 */
export async function seedMarket(world: TestWorld, drawn?: Buffer[]): Promise<SeededMarket> {
  const pictures = drawn ?? (await drawPictures(ARTISTS.length));
  const poster = await namedPoster(world.url, 'Harbour Street Press');
  const artists = await Promise.all(
    ARTISTS.map((agent_name) =>
      registerAgent(world.url, { agent_name, description: 'Draws what is asked for, with a hand of its own.' }),
    ),
  );
  const completed = await publish(world, poster, {
    ...BRIEFS[0],
    title: 'A picture for the cover of our tide tables',
    prizeUsdc: 95,
    entryFeeUsdc: 0.25,
  });
  for (const [index, artist] of artists.entries()) {
    await enterPicture(world, completed, artist, { title: TITLES[index] ?? 'Untitled', picture: pictures[index] });
  }
  expectStatus(await close(world, completed), 200);
  await until('judging', async () => (await statusOf(world, completed)) === 'judging');
  for (const [index, submissionId] of (await entryIds(world, completed)).entries()) {
    const body = { score: [5, 4, 4, 3, 2, 3][index] ?? 3, feedback: 'A fine hand.' };
    expectStatus(await asPoster(world, completed, ['PUT', `/submissions/${submissionId}/review`, body]), 200);
  }
  const [winner = ''] = await entryIds(world, completed);
  expectStatus(await choose(world, completed, { submissionId: winner }), 200);
  await until('completed', async () => (await statusOf(world, completed)) === 'completed');
  const judging = await publish(world, poster, {
    ...BRIEFS[2],
    title: 'Endpapers for an atlas of winds',
    prizeUsdc: 30,
  });
  await enterPicture(world, judging, artists[1]!, { title: 'Mistral', picture: pictures[1] });
  expectStatus(await close(world, judging), 200);
  await until('judging', async () => (await statusOf(world, judging)) === 'judging');
  const open: OpenProject[] = [];
  for (const one of BRIEFS) open.push(await publish(world, poster, one));
  await enterPicture(world, open[0]!, artists[2]!, { title: 'Beam', picture: pictures[2] });
  return { open, judging, completed, artists };
}

const TITLES = ['Low water, first light', 'Harbour mouth', 'The keeper’s window', 'Neap', 'Spring tide', 'Fathom'];

/** Draws pictures. Call before the first upload: inspecting an upload disables vector images in this process. */
export async function drawPictures(count: number): Promise<Buffer[]> {
  const all = Object.values(styles);
  const size = { width: 960, height: 720 };
  return await Promise.all(
    Array.from({ length: count }, (_, index) => paint(all[index % all.length]!, `seed ${index}`, size, 'jpeg')),
  );
}

async function namedPoster(url: string, poster_name: string): Promise<Registered> {
  const answer = expectStatus(await call(url, 'POST', '/posters/create', { body: { poster_name } }), 201);
  return { id: answer.body.data.posterId, key: answer.body.data.apiKey };
}

type Brief = {
  title: string;
  description: string;
  prizeUsdc: number;
  entryFeeUsdc: number;
  hours: number;
  specializations: readonly string[];
  colors: readonly string[];
};

async function publish(world: TestWorld, poster: Registered, brief: Brief): Promise<OpenProject> {
  const { prizeUsdc, entryFeeUsdc, hours, colors, specializations, title, description } = brief;
  const deadline = new Date(world.clock.now().getTime() + hours * HOUR_MS);
  const known = await specializationsOf(world.url);
  const fields = {
    title,
    description,
    specializations: specializations
      .filter((id) => known.has(id))
      .concat(['logo-design'])
      .slice(0, 1),
    color_preferences: colors,
    requirements: 'PNG or WebP, 1024 px or larger. No lettering.',
    style_references: ['https://example.org/lighthouses'],
    tags: ['sea', 'calm'],
  };
  return await openProject(world, { poster, prizeUsdc, entryFeeUsdc, deadline, fields });
}

async function specializationsOf(url: string): Promise<Set<string>> {
  const answer = expectStatus(await call(url, 'GET', '/specializations'), 200);
  return new Set(answer.body.data.specializations.map((each: { id: string }) => each.id));
}

type Work = { title: string; picture: Buffer | undefined };

async function enterPicture(
  { url }: TestWorld,
  { id: projectId }: OpenProject,
  { key }: Registered,
  { title, picture = Buffer.alloc(0) }: Work,
): Promise<string> {
  const payer = newPayer();
  await fund(url, payer.address, 5);
  const body = { title };
  const intent = expectStatus(await call(url, 'POST', `/agents/projects/${projectId}/intent`, { key, body }), 201);
  const submissionId = intent.body.data.submission.id as string;
  const wanted = { key, projectId, submissionId, sizeBytes: picture.length, fetch: payer.pay };
  const grant = expectStatus(await requestJpeg(url, wanted), 200);
  if ((await putPicture(grant.body.data.uploadUrl, Buffer.from(picture), 'image/jpeg')) !== 200)
    throw new Error('the upload was rejected');
  expectStatus(await confirm(url, key, projectId, submissionId), 200);
  return submissionId;
}

async function requestJpeg(url: string, request: UploadRequest) {
  return await call(url, 'POST', `/agents/projects/${request.projectId}/submissions/${request.submissionId}`, {
    key: request.key,
    body: { fileName: 'entry.jpg', fileType: 'image/jpeg', fileSize: request.sizeBytes },
    headers: { 'x-forwarded-for': '203.0.113.7' },
    ...(request.fetch ? { fetch: request.fetch } : {}),
  });
}

async function statusOf({ url }: TestWorld, { id, poster }: OpenProject): Promise<string> {
  const answer = expectStatus(await call(url, 'GET', `/posters/me/projects/${id}`, { key: poster.key }), 200);
  return answer.body.data.project.status as string;
}

async function entryIds({ url }: TestWorld, { id, poster }: OpenProject): Promise<string[]> {
  const answer = expectStatus(
    await call(url, 'GET', `/posters/me/projects/${id}/submissions`, { key: poster.key }),
    200,
  );
  return answer.body.data.submissions.map((each: { id: string }) => each.id);
}

/**
 * Writes a project in judging with `count` entries directly into the tables and the storage; `complete` ends it. Five
 * hundred paid uploads take minutes, and scrolling does not depend on how the entries were created.
 */
export async function seedLargeGallery(
  world: TestWorld,
  pictures: Buffer[],
  count: number,
): Promise<{ id: string; posterKey: string; complete: () => Promise<void> }> {
  const { db } = world.service.deps;
  const poster = await namedPoster(world.url, 'The Large Gallery');
  const { id } = await publish(world, poster, { ...BRIEFS[1], title: 'A thousand winters' });
  await fillGallery(world, id, pictures, count);
  const now = world.clock.now();
  const judgingEndsAt = new Date(now.getTime() + 86_400_000);
  await db`
    update projects set status = 'judging', closed_at = ${now}, judging_ends_at = ${judgingEndsAt}, due_at = null
    where id = ${id}`;
  const complete = async () =>
    void (await db`update projects set status = 'completed', completed_at = ${now} where id = ${id}`);
  return { id, posterKey: poster.key, complete };
}

/** Adds confirmed entries to a project without the API. Call it once for a world. */
export async function fillGallery(world: TestWorld, id: string, pictures: Buffer[], count: number): Promise<void> {
  const { db, storage } = world.service.deps;
  const now = world.clock.now();
  await db`
    insert into agents (id, name, description, specializations, settings, created_at, last_active_at)
    select gen_random_uuid(), 'Wintering agent ' || n, '', '{logo-design}', '{}', ${now}, ${now}
    from generate_series(1, ${count}) n`;
  const rows = await db<{ id: string }[]>`
    with entered as (
      insert into submissions (id, project_id, agent_id, title, status, created_at, submitted_at, generation_time_seconds)
      select gen_random_uuid(), ${id}, id, 'Winter ' || row_number() over (), 'submitted', ${now},
        ${now}::timestamptz + (row_number() over ()) * interval '1 second', 1
      from agents where name like 'Wintering agent %'
      returning id)
    insert into media_files (id, submission_id, upload_key, original_key, original_name, content_type, size_bytes, status,
      created_at, expires_at, completed_at, sha256, width, height, upload_removed)
    select gen_random_uuid(), id, 'uploads/' || id, 'originals/' || id, 'a.png', 'image/png', 1, 'completed',
      ${now}, ${now}, ${now}, '', 960, 720, true from entered
    returning id`;
  for (const [index, row] of rows.entries()) {
    const picture = pictures[index % pictures.length] ?? Buffer.alloc(0);
    for (const variant of COPY_VARIANTS)
      await storage.write(`previews/${row.id}/${variant}.webp`, picture, 'image/webp');
  }
  await db`update projects set total_submissions = ${count} where id = ${id}`;
}
