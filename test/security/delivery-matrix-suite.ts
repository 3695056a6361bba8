import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { z } from 'zod';
import type { Auth } from '../../contract/basics/operation.ts';
import type { World } from '../../server/deps.ts';
import type { CopyVariant } from '../../server/pictures/types.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { download, sha256 } from '../support/files/delivery.ts';
import { openProject, registerAgent, registerPoster, testPicture } from '../support/clients/journey.ts';
import { callOperation, parametersOf } from '../support/clients/requests.ts';
import { cloneProject } from '../support/rows/cloned-projects.ts';
import { NO_LIMITS } from '../support/worlds/shared-service.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Every caller asks everything about a project, in every state of it, and follows every URL of the answers. The test
// decides by the bytes that arrive, and not by the name of a URL.

const COMPLETED = ['settled', 'settled, winner only', 'settled, private', 'shared', 'loser disqualified'] as const;
const states = ['pending', 'open', 'judging', 'awarded, not settled', ...COMPLETED, 'cancelled'] as const;
const owners = ['the winner', 'the loser'] as const;
const variants = ['original', 'zip', 'image', 'thumbnail'] as const;
const roles = ['anonymous', 'another agent', ...owners, 'another poster', 'the poster', 'the operator'] as const;
type State = (typeof states)[number];
type Owner = (typeof owners)[number];
type Variant = (typeof variants)[number];
type Role = (typeof roles)[number];
/** The bytes that arrive: a watermarked copy, a plain copy, or the judged bytes. */
type Seen = 'marked' | 'plain' | 'bytes';

const isCompleted = (state: State) => COMPLETED.some((each) => each === state);
/** The prize has a winner and is settled. */
const isWon = (state: State) => isCompleted(state) && state !== 'shared';

/** The copies that the public sees: none before completion, and then what the gallery of the project says. */
function publicly(state: State, owner: Owner, variant: Variant): Seen[] {
  if (variant === 'original' || variant === 'zip' || !isCompleted(state) || state === 'settled, private') return [];
  if (owner === 'the loser' && (state === 'settled, winner only' || state === 'loser disqualified')) return [];
  return variant === 'image' && !(isWon(state) && owner === 'the winner') ? ['marked'] : ['plain'];
}

/** The decision of docs/posters.md, "Who sees what". */
function decided(role: Role, state: State, owner: Owner, variant: Variant): Seen[] {
  const everyone = publicly(state, owner, variant);
  const isOriginal = variant === 'original' || variant === 'zip';
  if (state === 'pending') return [];
  if (role === owner) return [...everyone, isOriginal ? 'bytes' : 'plain'];
  if (role !== 'the poster' && role !== 'the operator') return everyone;
  const bought = isWon(state) && owner === 'the winner';
  if (isOriginal) return bought || role === 'the operator' ? ['bytes'] : [];
  return [...everyone, bought || variant === 'thumbnail' ? 'plain' : 'marked'];
}

type Picture = { owner: Owner; id: string; bytes: Buffer };
type Case = { projectId: string; submissions: Record<Owner, string>; pictures: Picture[] };

const REASON = 'The matrix.';

/** Returns whether a JSON schema has a property that is a URL, by its name or its format, at any depth. */
function hasUrl(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if ('format' in schema && schema.format === 'uri') return true;
  const names = 'properties' in schema ? Object.keys(schema.properties ?? {}) : [];
  return names.some((name) => /urls?$/i.test(name)) || Object.values(schema).some(hasUrl);
}

/** The reads whose answers have a URL, and the one operation that opens files without being a read. */
const asked = everyOperation.filter(({ id, method, output }) => {
  if (method !== 'get') return id === 'openFilesAsOperator';
  return hasUrl(z.toJSONSchema(output, { io: 'output', unrepresentable: 'any', reused: 'inline' }));
});

/** Runs the matrix over one store. */
export async function deliveryMatrix(store: string, wrap?: (world: World) => Partial<World>): Promise<void> {
  const world = await startWorld({ env: NO_LIMITS, ...(wrap ? { wrap } : {}) });
  const { url, service, clock, operatorKey } = world;
  const { db, storage, publicCopies } = service.deps;
  const project = await openProject(world, { entryFeeUsdc: 0 });
  const agents = { 'the winner': await registerAgent(url), 'the loser': await registerAgent(url) };
  const keys: Record<Role, { agent?: string; poster?: string; operator?: string }> = {
    anonymous: {},
    'another agent': { agent: (await registerAgent(url)).key },
    'the loser': { agent: agents['the loser'].key },
    'the winner': { agent: agents['the winner'].key },
    'another poster': { poster: (await registerPoster(url)).key },
    'the poster': { poster: project.poster.key },
    'the operator': { operator: operatorKey },
  };
  const now = clock.now();
  let seed = 0;

  async function addPicture(submissionId: string, owner: Owner, confirmed: boolean): Promise<Picture> {
    // Larger than a thumbnail, so that preview and thumbnail differ.
    const drawn = sharp(await testPicture(++seed)).resize(640, 480);
    const [bytes, id] = [await drawn.png().toBuffer(), randomUUIDv7()];
    const [uploadKey, originalKey] = [`uploads/matrix/${id}`, `originals/matrix/${id}`];
    await storage.write(confirmed ? originalKey : uploadKey, bytes, 'image/png');
    await db`
      insert into media_files (id, submission_id, item, upload_key, original_key, original_name, content_type, size_bytes,
        status, created_at, expires_at, completed_at, sha256, perceptual_hash, width, height, upload_removed)
      values (${id}, ${submissionId}, 1, ${uploadKey}, ${confirmed ? originalKey : null}, 'entry.png', 'image/png',
        ${bytes.length}, ${confirmed ? 'completed' : 'pending'}, ${now}, ${now}, ${confirmed ? now : null},
        ${confirmed ? sha256(bytes) : null}, ${confirmed ? 0 : null}, ${confirmed ? 640 : null},
        ${confirmed ? 480 : null}, true)`;
    return { owner, id, bytes };
  }

  async function prepare(state: State): Promise<Case> {
    const status = isCompleted(state)
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
      pictures.push(await addPicture(submissionId, owner, confirmed));
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
        state, due_at, created_at, sent_at, settled_at, tx_hash)
      values (${id}, ${`matrix:${id}`}, ${kind}, ${projectId}, ${submissionId}, ${agentId}, 950000, 'escrow',
        ${`0x${'1'.repeat(40)}`}, ${settled ? 'settled' : 'held'}, ${now}, ${now}, ${settled ? now : null},
        ${settled ? now : null}, ${settled ? `0x${'ab'.repeat(32)}` : null})`;
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

  /** Every answer about the project, its entries, and their agents to this kind of caller. */
  async function answersTo(kind: Auth, { projectId, submissions }: Case, key?: string): Promise<string[]> {
    const texts: string[] = [];
    for (const spec of asked.filter(({ auth }) => auth === kind)) {
      const names = parametersOf(spec);
      const each = names.includes('submission_id') || names.includes('agent_id') ? owners : [owners[0]];
      for (const owner of each) {
        const params = {
          project_id: projectId,
          projectId,
          submission_id: submissions[owner],
          agent_id: agents[owner].id,
        };
        const body = spec.method === 'get' ? {} : { body: { reason: REASON } };
        texts.push(JSON.stringify((await callOperation(url, spec, { ...(key ? { key } : {}), params, ...body })).body));
      }
    }
    return texts;
  }

  /** Every answer that the caller can get: those to its key, and the public ones, which are the same for all. */
  async function answersOf(role: Role, one: Case, toEverybody: string[]): Promise<string[]> {
    const [own] = Object.entries(keys[role]) as [Auth, string][];
    return [...toEverybody, ...(own ? await answersTo(own[0], one, own[1]) : [])];
  }

  /** Returns what the caller obtains of each picture, by the bytes that arrive. */
  async function obtained(role: Role, one: Case, toEverybody: string[]): Promise<Map<string, Set<Seen>>> {
    const texts = await answersOf(role, one, toEverybody);
    const urls = texts.flatMap((text) => text.match(/http:[^"]*\/(?:media|originals)\/[^"]*/g) ?? []);
    const seen = new Map<string, Set<Seen>>();
    const note = ({ owner }: Picture, variant: Variant, what: Seen) => {
      const cell = `${owner} ${variant}`;
      seen.set(cell, (seen.get(cell) ?? new Set()).add(what));
    };
    for (const target of new Set(urls)) {
      const bytes = await follow(target);
      const isZip = target.includes('/zip?');
      for (const picture of one.pictures) {
        if (isZip ? bytes.includes(picture.bytes) : bytes.equals(picture.bytes))
          note(picture, isZip ? 'zip' : 'original', 'bytes');
        for (const name of ['plain-image', 'marked-image', 'plain-thumbnail'] as const) {
          const [kind, size] = name.split('-') as ['plain' | 'marked', 'image' | 'thumbnail'];
          if ((await copyOf(picture.id, name))?.equals(bytes)) note(picture, size, kind);
        }
      }
    }
    return seen;
  }

  describe(`who obtains which picture, over ${store}`, () => {
    for (const state of states)
      it(state, async () => {
        const one = await prepare(state);
        const toEverybody = await answersTo('public', one);
        const wrong: string[] = [];
        for (const role of roles) {
          const seen = await obtained(role, one, toEverybody);
          for (const owner of owners)
            for (const variant of variants) {
              const found = String([...(seen.get(`${owner} ${variant}`) ?? [])].toSorted());
              const expected = String([...new Set(decided(role, state, owner, variant))].toSorted());
              if (found !== expected) wrong.push(`${role}, ${variant} of ${owner}: ${found} instead of ${expected}`);
            }
        }
        assert.deepEqual(wrong, []);
      });

    it('is in the audit trail: each grant and each download of the operator, with the reason', async () => {
      const confirmed = (states.length - 1) * owners.length;
      const records = await db<{ action: string; reason: string | null; count: number }[]>`
        select action, reason, count(*)::int as count from audit_trail
        where action like 'original.%' and actor = 'operator' group by action, reason order by action`;
      assert.deepEqual(
        records.map((record) => ({ ...record })),
        [
          // The file, and the ZIP.
          { action: 'original.download', reason: REASON, count: confirmed * 2 },
          { action: 'original.grant', reason: REASON, count: confirmed },
        ],
      );
    });
  });
}
