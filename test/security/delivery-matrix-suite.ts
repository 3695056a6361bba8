import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import type { World } from '../../server/deps.ts';
import type { CopyVariant } from '../../server/ports/pictures.ts';
import { call } from '../support/clients/client.ts';
import { download, sha256 } from '../support/files/delivery.ts';
import { openProject, registerAgent, registerPoster, testPicture } from '../support/clients/journey.ts';
import { cloneProject } from '../support/rows/cloned-projects.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { type AskedCase, picturesOf, REASON, requestsOf } from './delivery-matrix-requests.ts';
import {
  COMPLETED,
  decided,
  ITEMS,
  type Owner,
  owners,
  type Role,
  roles,
  type Seen,
  type State,
  states,
  type Variant,
  variants,
} from './delivery-matrix-table.ts';

// Every caller asks every request that shows pictures, in every state of a project, and follows every URL of the answers.
// The test decides by the bytes that arrive, and not by the name of a URL. delivery-matrix-table.ts repeats the decision.

type Picture = { owner: Owner; item: number; id: string; bytes: Buffer };
type Case = AskedCase & { submissions: Record<Owner, string>; pictures: Picture[] };

/** Runs the matrix over one store. */
export async function deliveryMatrix(store: string, wrap?: (world: World) => Partial<World>): Promise<void> {
  const MANY = '1000000';
  const world = await startWorld({
    env: { LIMIT_POSTER_PER_MINUTE: MANY, LIMIT_AGENT_ACCOUNT_PER_MINUTE: MANY, LIMIT_PUBLIC_READS_PER_MINUTE: MANY },
    wrap: (real) => ({
      ...wrap?.(real),
      // The picture of a link preview is drawn around a copy. The copy alone arrives here, so that its bytes decide.
      renderSharePicture: async ({ copy }) => copy ?? Buffer.from('no copy'),
    }),
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
        ${confirmed ? sha256(bytes) : null}, ${confirmed ? 0 : null}, ${confirmed ? 640 : null},
        ${confirmed ? 480 : null}, true, true)`;
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
    const flagIds =
      state === 'pending' ? [] : [await flag(submissions, 'the loser', 1), await flag(submissions, 'the winner', 2)];
    return { projectId, submissions, pictures, flagIds, agentIds: Object.values(agents).map(({ id }) => id) };
  }

  /** Says that an item of this owner looks like the same item of the other one. */
  async function flag(submissions: Record<Owner, string>, owner: Owner, item: number): Promise<string> {
    const id = randomUUIDv7();
    const other = owner === 'the winner' ? 'the loser' : 'the winner';
    await db`
      insert into originality_flags (id, submission_id, agent_id, other_submission_id, other_agent_id, kind, distance,
        created_at, item, other_item)
      values (${id}, ${submissions[owner]}, ${agents[owner].id}, ${submissions[other]}, ${agents[other].id}, 'near', 3,
        ${now}, ${item}, ${item})`;
    return id;
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
    const targets = new Set(picturesOf(one).map((path) => url + path));
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

    it('was tested in every cell', () => {
      assert.equal(cells, states.length * roles.length * owners.length * ITEMS.length * variants.length);
      assert.ok(cells >= 500);
    });

    it('is in the audit trail: each grant and each download of the operator, with the reason', async () => {
      const confirmed = (states.length - 1) * owners.length;
      const records = await db<{ action: string; reason: string | null; count: number }[]>`
        select action, reason, count(*)::int as count from audit_trail
        where action like 'original.%' and actor = 'operator' group by action, reason order by action`;
      assert.deepEqual(
        records.map((record) => ({ ...record })),
        [
          { action: 'original.download', reason: REASON, count: confirmed * (ITEMS.length + 1) },
          { action: 'original.grant', reason: REASON, count: confirmed },
        ],
      );
      assert.deepEqual(errors, []);
    });
  });
}
