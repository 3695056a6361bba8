import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import type { World } from '../../server/deps.ts';
import type { CopyVariant } from '../../server/ports/pictures.ts';
import { call } from '../support/clients/client.ts';
import { download, sha256 } from '../support/clients/delivery.ts';
import { openProject, registerAgent, registerPoster, testPicture } from '../support/clients/journey.ts';
import { cloneProject } from '../support/worlds/cloned-projects.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Every caller asks every request that shows pictures, in every state of a project, and follows every URL of the answers.
// The test decides by the bytes that arrive, and not by the name of a URL. The table below repeats the decision.

const roles = [
  'anonymous',
  'another agent',
  'the loser',
  'the winner',
  'another poster',
  'the poster',
  'the operator',
] as const;
type Role = (typeof roles)[number];

const states = [
  'pending', 'open', 'judging', 'awarded, not settled', 'settled', 'settled, winner only', 'settled, private', 'shared',
  'cancelled', 'loser disqualified',
] as const; // prettier-ignore
type State = (typeof states)[number];

const owners = ['the winner', 'the loser'] as const;
type Owner = (typeof owners)[number];

const ITEMS = [1, 2];
const variants = ['original', 'zip', 'image', 'thumbnail'] as const;
type Variant = (typeof variants)[number];
/** The kinds of bytes that arrive: nothing, a watermarked copy, a plain copy, the judged bytes, or several of these. */
type Seen = 'marked' | 'plain' | 'bytes';

const COMPLETED: State[] = ['settled', 'settled, winner only', 'settled, private', 'shared', 'loser disqualified'];

/** The copies that the public sees: none before completion, and then what the gallery of the project says. */
function publicly(state: State, owner: Owner, variant: Variant): Seen[] {
  if (variant === 'original' || variant === 'zip' || !COMPLETED.includes(state)) return [];
  if (state === 'settled, private') return [];
  if (owner === 'the loser' && (state === 'settled, winner only' || state === 'loser disqualified')) return [];
  return variant === 'image' ? ['marked'] : ['plain'];
}

/** The copies that the poster and the operator see in their lists of entries. */
function judging(state: State, owner: Owner, variant: Variant): Seen[] {
  if (variant === 'original' || variant === 'zip') return [];
  if (!COMPLETED.includes(state)) return ['marked'];
  const won = owner === 'the winner' && state !== 'shared';
  return variant === 'image' && !won ? ['marked'] : ['plain'];
}

function bought(state: State, owner: Owner): boolean {
  return COMPLETED.includes(state) && state !== 'shared' && owner === 'the winner';
}

/** The decision of docs/posters.md, "Who sees what". */
function decided(role: Role, state: State, owner: Owner, variant: Variant): Seen[] {
  const everyone = publicly(state, owner, variant);
  const isOriginal = variant === 'original' || variant === 'zip';
  if (state === 'pending') return [];
  if (role === owner) return [...everyone, isOriginal ? 'bytes' : 'plain'];
  if (role === 'the operator')
    return [...everyone, ...(isOriginal ? (['bytes'] as const) : judging(state, owner, variant))];
  if (role === 'the poster' && isOriginal) return bought(state, owner) ? ['bytes'] : [];
  if (role === 'the poster') return [...everyone, ...judging(state, owner, variant)];
  return everyone;
}

type Picture = { owner: Owner; item: number; id: string; bytes: Buffer };
type Case = { projectId: string; submissions: Record<Owner, string>; pictures: Picture[] };

/** Runs the matrix over one store. */
export async function deliveryMatrix(store: string, wrap?: (world: World) => Partial<World>): Promise<void> {
  const MANY = '1000000';
  const world = await startWorld({
    env: { LIMIT_POSTER_PER_MINUTE: MANY, LIMIT_AGENT_ACCOUNT_PER_MINUTE: MANY, LIMIT_PUBLIC_READS_PER_MINUTE: MANY },
    ...(wrap ? { wrap } : {}),
  });
  const { url, service, clock, operatorKey, errors } = world;
  const { db, storage, publicCopies } = service.deps;
  const project = await openProject(world, { entryFeeUsdc: 0 });
  const [winner, loser, otherAgent] = [await registerAgent(url), await registerAgent(url), await registerAgent(url)];
  const agents: Record<Owner, { id: string; key: string }> = { 'the winner': winner, 'the loser': loser };
  const keys: Record<Role, string | undefined> = {
    anonymous: undefined,
    'another agent': otherAgent.key,
    'the loser': loser.key,
    'the winner': winner.key,
    'another poster': (await registerPoster(url)).key,
    'the poster': project.poster.key,
    'the operator': operatorKey,
  };
  const now = clock.now();
  let seed = 0;

  async function addPicture(submissionId: string, owner: Owner, item: number, confirmed: boolean): Promise<Picture> {
    // Larger than a thumbnail, so that preview and thumbnail differ.
    const bytes = await sharp(await testPicture(++seed))
      .resize(640, 480)
      .png()
      .toBuffer();
    const id = randomUUIDv7();
    const [uploadKey, originalKey] = [`uploads/matrix/${id}`, `originals/matrix/${id}`];
    await storage.write(confirmed ? originalKey : uploadKey, bytes, 'image/png');
    await db`
      insert into media_files (id, submission_id, item, upload_key, original_key, original_name, content_type, size_bytes,
        status, created_at, expires_at, completed_at, sha256, perceptual_hash, width, height, upload_removed, compared)
      values (${id}, ${submissionId}, ${item}, ${uploadKey}, ${confirmed ? originalKey : null}, 'entry.png', 'image/png',
        ${bytes.length}, ${confirmed ? 'completed' : 'pending'}, ${now}, ${now}, ${confirmed ? now : null},
        ${confirmed ? sha256(bytes) : null}, ${confirmed ? 0 : null}, ${confirmed ? 160 : null},
        ${confirmed ? 120 : null}, true, true)`;
    return { owner, item, id, bytes };
  }

  async function prepare(state: State): Promise<Case> {
    const status = COMPLETED.includes(state)
      ? 'completed'
      : state === 'cancelled'
        ? 'cancelled'
        : state === 'pending' || state === 'open'
          ? 'open'
          : 'judging';
    const gallery =
      state === 'settled, winner only' ? 'winner_only' : state === 'settled, private' ? 'private' : 'public';
    const isAwarded = status === 'completed' || state === 'awarded, not settled';
    const projectId = await cloneProject(db, project.id, {
      status,
      gallery,
      ...(isAwarded ? { awarded_at: now, selection: state === 'shared' ? 'shared' : 'poster' } : {}),
      ...(status === 'completed' ? { completed_at: now } : {}),
    });
    const submissions = { 'the winner': randomUUIDv7(), 'the loser': randomUUIDv7() };
    const pictures: Picture[] = [];
    for (const owner of owners) {
      const submissionId = submissions[owner];
      const confirmed = state !== 'pending';
      const decidedOutcome = state === 'shared' ? 'shared' : owner === 'the winner' ? 'won' : 'lost';
      const outcome = state === 'cancelled' ? 'cancelled' : isAwarded ? decidedOutcome : null;
      const isOut = state === 'loser disqualified' && owner === 'the loser';
      await db`
        insert into submissions (id, project_id, agent_id, title, status, created_at, submitted_at, generation_time_seconds,
          outcome, decided_at, disqualified_at, disqualify_reason)
        values (${submissionId}, ${projectId}, ${agents[owner].id}, 'Entry', ${confirmed ? 'submitted' : 'pending'}, ${now},
          ${confirmed ? now : null}, ${confirmed ? 1 : null}, ${outcome}, ${outcome ? now : null}, ${isOut ? now : null},
          ${isOut ? 'A copy.' : null})`;
      for (const item of ITEMS) pictures.push(await addPicture(submissionId, owner, item, confirmed));
      const kind = outcome === 'won' ? 'prize' : outcome === 'shared' ? 'share' : null;
      if (kind) await payout(projectId, submissionId, agents[owner].id, kind, status === 'completed');
    }
    if (isAwarded && state !== 'shared')
      await db`update projects set winner_submission_id = ${submissions['the winner']} where id = ${projectId}`;
    return { projectId, submissions, pictures };
  }

  async function payout(projectId: string, submissionId: string, agentId: string, kind: string, settled: boolean) {
    const id = randomUUIDv7();
    await db`
      insert into payouts (id, reference, kind, project_id, submission_id, agent_id, amount_micro, debit_account, recipient,
        state, due_at, created_at, updated_at, sent_at, settled_at, tx_hash)
      values (${id}, ${`matrix:${id}`}, ${kind}, ${projectId}, ${submissionId}, ${agentId}, 950000, 'escrow',
        ${`0x${'1'.repeat(40)}`}, ${settled ? 'settled' : 'held'}, ${now}, ${now}, ${now}, ${settled ? now : null},
        ${settled ? now : null}, ${settled ? `0x${'ab'.repeat(32)}` : null})`;
  }

  /** Every request that could show a picture or a file of this project, with the key of the caller. */
  function requestsOf({ projectId, submissions }: Case): [method: string, path: string, body?: object][] {
    const ids = Object.values(submissions);
    return [
      ['GET', `/projects/${projectId}`],
      ['GET', `/projects/${projectId}/submissions?limit=50`],
      ['GET', '/projects?status=open,judging,completed,cancelled&limit=48'],
      ['GET', `/agents/${winner.id}/public`],
      ['GET', `/agents/${loser.id}/public`],
      ['GET', `/agents/projects/${projectId}`],
      ['GET', '/agents/me/history'],
      ['GET', '/agents/me/submissions'],
      ['GET', `/posters/me/projects/${projectId}`],
      ['GET', `/posters/me/projects/${projectId}/submissions?limit=50`],
      ['GET', `/operator/projects/${projectId}`],
      ['GET', `/operator/projects/${projectId}/submissions?limit=50`],
      ['GET', '/operator/flags'],
      ...ids.flatMap((id): [string, string, object?][] => [
        ['GET', `/agents/me/submissions/${id}/files`],
        ['GET', `/posters/me/projects/${projectId}/submissions/${id}/delivery`],
        ['POST', `/operator/projects/${projectId}/submissions/${id}/files`, { reason: 'The matrix.' }],
      ]),
    ];
  }

  const copies = new Map<string, Buffer | null>();
  const followed = new Map<string, Buffer>();

  async function copyOf(id: string, variant: CopyVariant): Promise<Buffer | null> {
    const key = `${id}/${variant}`;
    if (!copies.has(key)) copies.set(key, await publicCopies.read(id, variant));
    return copies.get(key) ?? null;
  }

  async function follow(target: string): Promise<Buffer> {
    const known = followed.get(target);
    if (known) return known;
    const { status, bytes } = await download(target);
    assert.equal(status, 200, target);
    followed.set(target, bytes);
    return bytes;
  }

  /** Returns what the caller obtains of each picture, by the bytes that arrive. */
  async function obtained(role: Role, one: Case): Promise<Map<string, Set<Seen>>> {
    const targets = new Set<string>();
    for (const [method, path, body] of requestsOf(one)) {
      const key = keys[role];
      const answer = await call(url, method, path, { ...(key ? { key } : {}), ...(body ? { body } : {}) });
      for (const [target] of JSON.stringify(answer.body).matchAll(/http:[^"]*\/(?:media|originals)\/[^"]*/g))
        targets.add(target);
    }
    const seen = new Map<string, Set<Seen>>();
    const note = ({ owner, item }: Picture, variant: Variant, what: Seen) => {
      const cell = `${owner} ${item} ${variant}`;
      seen.set(cell, (seen.get(cell) ?? new Set()).add(what));
    };
    for (const target of targets) {
      const bytes = await follow(target);
      const isZip = target.includes('/zip?');
      for (const picture of one.pictures) {
        if (isZip ? bytes.includes(picture.bytes) : bytes.equals(picture.bytes))
          note(picture, isZip ? 'zip' : 'original', 'bytes');
        for (const kind of ['plain', 'marked'] as const)
          for (const size of ['image', 'thumbnail'] as const)
            if ((await copyOf(picture.id, `${kind}-${size}`))?.equals(bytes)) note(picture, size, kind);
      }
    }
    return seen;
  }

  describe(`who obtains which picture, over ${store}`, () => {
    let cells = 0;
    for (const state of states)
      it(state, async () => {
        const one = await prepare(state);
        const wrong: string[] = [];
        for (const role of roles) {
          const seen = await obtained(role, one);
          for (const owner of owners)
            for (const item of ITEMS)
              for (const variant of variants) {
                cells += 1;
                const found = [...(seen.get(`${owner} ${item} ${variant}`) ?? [])].toSorted();
                const expected = [...new Set(decided(role, state, owner, variant))].toSorted();
                if (String(found) !== String(expected))
                  wrong.push(
                    `${role}, ${variant} of item ${item} of ${owner}: ${String(found)} instead of ${String(expected)}`,
                  );
              }
        }
        assert.deepEqual(wrong, []);
      });

    it('was tested in every cell, and the audit trail has the reason of each access of the operator', async () => {
      assert.equal(cells, states.length * roles.length * owners.length * ITEMS.length * variants.length);
      assert.ok(cells >= 500);
      const unexplained = await db`
        select 1 from audit_trail where action like 'original.%' and actor = 'operator' and reason is distinct from 'The matrix.'`;
      assert.equal(unexplained.length, 0);
      assert.deepEqual(errors, []);
    });
  });
}
