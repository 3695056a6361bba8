import assert from 'node:assert/strict';
import { DomainError } from '../../contract/basics/errors.ts';
import type { Context } from '../../server/deps.ts';
import type { Authorization } from './chain-model.ts';
import type { SettleFault } from './facilitator-model.ts';
import { checkFairness, checkWallets } from './fairness.ts';
import { checkCancelFees } from './cancel-fees.ts';
import { checkInvariants } from './invariants.ts';
import type { Trouble } from './outside.ts';
import { type PaymentNow, type Snapshot, takeSnapshot } from './snapshot.ts';
import {
  createModelWorld,
  network,
  presentedPart,
  type RunningProcess,
  type Settings,
  START,
  TREASURY,
} from './model-world.ts';
import type { AgentCaller, OperatorCaller, PosterCaller } from '../../server/callers.ts';
import type { Db } from '../../server/db/database.ts';
import type { PresentedPayment } from '../../server/payments/types.ts';

/** The conditions of one command: its process and its faults. */
export type Circumstances = { on: number; luck: number; settle: SettleFault; trouble: Trouble };

/** `a`, `b`, and `c` select the project, the entry, and the wallet. Returns undefined if no target exists. */
export type Action = (
  scene: Scene,
  how: Circumstances & { a: number; b: number; c: number },
) => Promise<void> | undefined;

/** A signed payment and its subject. */
export type Signed = { presented: PresentedPayment; authorization: Authorization; subjectId: string };

/** An acknowledged result, which must hold from then on. */
type Promised = { what: string; holds(now: Snapshot): boolean };

export type Scene = Awaited<ReturnType<typeof createScene>>;

const POSTERS = 2;
const AGENTS = 5;
const WALLETS = 9;

const walletOf = (index: number) => `0x${(index + 1).toString(16).padStart(40, '0')}`;
const idOf = (kind: string, index: number) => `${kind}0000000-0000-7000-8000-${String(index).padStart(12, '0')}`;

/** Creates the people, their wallets, and their world, with everything that a run remembers. */
export async function createScene(db: Db, settings: Settings) {
  const world = createModelWorld(db, settings);
  const wallets = Array.from({ length: WALLETS }, (_, index) => walletOf(index));
  for (const wallet of wallets) world.fund(wallet);
  const posters = Array.from({ length: POSTERS }, (_, index) => idOf('b', index));
  const agents = Array.from({ length: AGENTS }, (_, index) => idOf('a', index));
  const at = new Date(START);
  await db`insert into posters ${db(posters.map((id) => ({ id, name: 'Poster', created_at: at })))}`;
  const person = {
    name: 'Agent',
    description: 'An agent',
    specializations: [],
    settings: db.json({ maxConcurrentProjects: 100 }),
    tier: 'elite',
  };
  await db`insert into agents ${db(agents.map((id) => ({ id, ...person, created_at: at, last_active_at: at })))}`;
  return {
    world,
    now: await takeSnapshot(db),
    posters,
    agents,
    wallets,
    signed: [] as Signed[],
    /** The storage key of the expected upload, by submission. */
    uploads: new Map<string, string>(),
    /** The picture of each entry. */
    pictures: new Map<string, Buffer>(),
    /** The scores that the service acknowledged to a poster, or null without an acknowledgment. */
    reviews: new Map<string, number | null>(),
    /** The wallets that each agent has proved to own. */
    proofs: new Map<string, Set<string>>(),
    /** `agent old new`: changes of a proven wallet that both wallets signed. */
    consents: new Set<string>(),
    promised: [] as Promised[],
    problems: [] as Error[],
    /** The subjects that a 402 asked to pay for in this step. */
    asked: [] as string[],
    trace: [] as string[],
    steps: 0,
  };
}

export function callers(scene: Scene) {
  return {
    agent: (on: RunningProcess, agentId: string): Context<AgentCaller> =>
      scene.world.contextOf(on, {
        kind: 'agent',
        agentId,
        keyId: 'model',
        scope: 'owner',
        tier: 'elite',
        status: 'active',
      }),
    poster: (on: RunningProcess, posterId: string): Context<PosterCaller> =>
      scene.world.contextOf(on, { kind: 'poster', posterId, keyId: 'model', scope: 'full' }),
    operator: (on: RunningProcess): Context<OperatorCaller> =>
      scene.world.contextOf(on, { kind: 'operator', name: null, scope: 'act' }),
  };
}

/** Signs a payment for a subject. It never reuses a nonce. */
export function sign(
  scene: Scene,
  { from, valueMicro, subjectId, seconds }: { from: string; valueMicro: number; subjectId: string; seconds: number },
  version: 1 | 2,
): Signed {
  const { model, time } = scene.world;
  const validBefore = Math.floor(time.trueMs / 1000) + seconds;
  const nonce = `0x${(scene.signed.length + 1).toString(16).padStart(64, '0')}`;
  const authorization = { from, to: TREASURY, valueMicro, validAfter: 0, validBefore, nonce };
  const presented: PresentedPayment = {
    x402Version: version,
    scheme: 'exact',
    network: version === 2 ? network.id : network.v1Name,
    accepted: null,
    ...presentedPart(model, authorization),
  };
  const signed = { presented, authorization, subjectId };
  scene.signed.push(signed);
  return signed;
}

type Work<T> = {
  label: string;
  run(on: RunningProcess): Promise<T>;
  /** Receives the answer, now or after other commands. */
  answered?(result: T): void;
  /** The subject of the payment. */
  subjectId?: string;
};

/** Runs work in a process until it answers or nothing moves any more. Then checks everything. */
export async function perform<T>(scene: Scene, how: Circumstances, work: Work<T>): Promise<void> {
  const { world } = scene;
  const { outside, luck, processes } = world;
  const on = processes[how.on % processes.length]!;
  world.beginStep();
  // A process compares its database with the chain before its first work. No story restores an older database.
  assert.ok(await on.deps.comparison.make(), 'the chain was not compared');
  luck.begin(how.luck, how.settle);
  outside.arm(how.trouble);
  scene.asked = [];
  let answer = 'no answer';
  const answering = async () => {
    try {
      const result = await work.run(on);
      answer = 'done';
      work.answered?.(result);
    } catch (error) {
      answer = said(error);
      if (!isExpected(error, how)) scene.problems.push(error instanceof Error ? error : new Error(answer));
      if (/^PAYMENT_(REQUIRED|FAILED)/.test(answer)) scene.asked.push(work.subjectId ?? '');
    }
  };
  await outside.quiet(answering());
  outside.arm(null);
  luck.end();
  for (const [index, { process }] of processes.entries()) if (!process.isAlive()) world.restart(index);
  scene.trace.push(`${work.label} [${circumstances(how)}] → ${answer}`);
  await look(scene);
}

/** Reads everything and checks it against all invariants and promises. */
export async function look(scene: Scene): Promise<void> {
  const { world, now: before } = scene;
  scene.now = await takeSnapshot(world.db);
  checkInvariants(world, scene.now);
  checkFairness(scene.now, world.settings, scene);
  const { walletChangeMs, cancelFeeMicro } = world.settings;
  checkCancelFees(before, scene.now, cancelFeeMicro);
  checkWallets(before, scene.now, { consents: scene.consents, at: world.clock.now(), walletChangeMs });
  for (const { what, holds } of scene.promised) assert.ok(holds(scene.now), `no longer true: ${what}`);
  if (world.outside.held.length === 0)
    for (const row of scene.now.payments.filter(({ subject_id }) => scene.asked.includes(subject_id)))
      checkAsked(scene, row);
  scene.asked = [];
  for (const { id, wallet_address, wallet_linked_at } of scene.now.agents)
    assert.ok(
      wallet_linked_at === null || scene.proofs.get(id)?.has(wallet_address ?? ''),
      `${wallet_address} never proved to be ${id}`,
    );
  for (const { msg, alert, err, problems } of world.errors.splice(0))
    if (!isExpectedLine(scene, msg))
      scene.problems.push(
        new Error(
          `logged: ${msg} ${alert ?? ''} ${problems?.join(', ') ?? ''} ${err?.message ?? ''} ${err?.stack ?? ''}`,
        ),
      );
  const [problem] = scene.problems;
  if (problem) throw problem;
}

/** Asserts that no new 402 asks a payer to sign twice while the first payment may have executed. */
function checkAsked(
  { world }: Scene,
  { id, subject_id, state, late, payer, auth_nonce, valid_before }: PaymentNow,
): void {
  assert.ok(state === 'failed' || late, `asked to pay for ${subject_id}, which is ${state}`);
  const over = valid_before * 1000 <= world.time.trueMs;
  assert.ok(
    late || over || !world.mayHavePaid(payer, auth_nonce),
    `asked to pay for ${subject_id}, which ${id} may have paid`,
  );
}

/** Whether this model's faults can cause this error in the log. */
function isExpectedLine(scene: Scene, message: string): boolean {
  if (message === 'a payout could not be sent') return true;
  // A story lets hours pass in one step, so nothing resumes an inspection in time.
  if (message === 'a picture could not be inspected for an hour') return true;
  if (message === 'a settled payment is not on chain') return true;
  // If a clock is hours behind, the chain rejects its authorization before the service expects that.
  return message.startsWith('the nonce of a payout was canceled or spent') && scene.world.time.wasBehind;
}

/** Whether an error is expected: a refusal of the contract, or a fault of a dependency that this step broke. */
function isExpected(error: unknown, { trouble }: Circumstances): boolean {
  if (error instanceof DomainError) return error.code !== 'INTERNAL_ERROR' || trouble !== null || error.status === 503;
  const name = error instanceof Error ? error.name : '';
  return trouble !== null && ['ChainUnavailable', 'StorageError', 'FacilitatorUnavailable'].includes(name);
}

function said(error: unknown): string {
  return error instanceof DomainError ? `${error.code} ${error.message.slice(0, 90)}` : String(error);
}

function circumstances({ on, luck, settle, trouble }: Circumstances): string {
  const parts = [`process ${on}`];
  if (luck !== 0) parts.push(`luck ${luck}`);
  if (settle !== 'honest') parts.push(settle);
  if (trouble) parts.push(`${trouble.fate} at ${trouble.at}`);
  return parts.join(', ');
}
