import type { MiningFate } from '../chain-model.ts';
import { pick, prefer } from '../pick.ts';
import { checkAction } from './money-out.ts';
import { type Action, look, type Scene } from '../scene.ts';
import { drawn } from '../luck.ts';
import { TREASURY } from '../model-world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const SHORT_MS = [1_000, 5_000, 15_000, 31_000, 2 * MINUTE_MS, 10 * MINUTE_MS];
const LONG_MS = [3_600_000, 3_700_000, 6 * 3_600_000, DAY_MS];
// Most steps correct the clock, because a wrong clock prevents most actions.
const STEPS_MS = [0, 0, 0, 0, 0, 45_000, -45_000, 3_600_000, -3_600_000, 2 * DAY_MS, -2 * DAY_MS];
/** The recipient when a wallet spends money outside of the service. */
export const ELSEWHERE = `0x${'e'.repeat(40)}`;

async function happens(scene: Scene, label: string, work: () => unknown): Promise<void> {
  scene.trace.push(label);
  await work();
  await look(scene);
}

export const mineAction: Action = (scene, { luck, a }) =>
  happens(scene, `a block, luck ${luck}`, () => {
    const fates: MiningFate[] = ['mined', 'mined', 'mined', 'twice', 'delayed', 'dropped'];
    scene.world.model.mine(
      ({ hash }) => (luck === 0 ? 'mined' : (pick(fates, drawn(luck, 'fate', hash)) ?? 'mined')),
      ({ hash }) => drawn(luck, a, hash),
    );
  });

export const rebroadcastAction: Action = (scene) =>
  happens(scene, 'what was dropped is seen again', () => scene.world.model.rebroadcast());

/**
 * The chain takes its newest blocks back, at most as many as the service waits for before it pays out. A project lasts longer
 * than these blocks, so the service notices that a prize is gone before somebody can win it.
 */
export const reorganizeAction: Action = (scene, how) => {
  const { model, settings } = scene.world;
  const depth = 1 + (how.a % settings.confirmations);
  const taken = new Set(
    model.moved.filter(({ blockNumber }) => blockNumber > model.head() - depth).map(({ nonce }) => nonce),
  );
  const isUndecided = (id: string) =>
    scene.now.projects.some(
      (project) =>
        project.id === id && project.awarded_at === null && ['draft', 'open', 'judging'].includes(project.status),
    );
  const prizes = scene.now.payments.filter(({ kind, auth_nonce }) => kind === 'escrow' && taken.has(auth_nonce));
  if (taken.size === 0 || !prizes.every(({ subject_id }) => isUndecided(subject_id))) return undefined;
  const isDropped = ({ hash }: { hash: string }) => how.b % 2 === 0 && drawn(how.luck, how.b, hash) % 2 === 0;
  return happens(scene, `the newest ${depth} blocks are taken back`, async () => {
    model.reorganize(depth, isDropped);
    if (prizes.length === 0) return;
    model.node.lagBlocks = 0;
    await checkAction(scene, { ...how, luck: 0, trouble: null });
  });
};

/** Executes a signed payment. Anyone who has seen it can do so, whatever its state in the service. */
export const executeAction: Action = (scene, { a, b }) => {
  const states = b % 4 < 2 ? ['failed'] : ['failed', 'settling'];
  const rows = new Set(
    scene.now.payments.filter(({ state }) => states.includes(state)).map(({ auth_nonce }) => auth_nonce),
  );
  const signed = prefer(scene.signed, ({ authorization }) => rows.has(authorization.nonce), a);
  if (!signed) return undefined;
  const { authorization, subjectId } = signed;
  return happens(scene, `somebody executes the payment ${authorization.nonce.slice(-4)} for ${subjectId}`, () => {
    scene.world.model.broadcast(authorization);
    if (b % 2) scene.world.model.mine();
  });
};

export const cancelNonceAction: Action = (scene, { a, b }) => {
  const signed = pick(scene.signed, a);
  if (!signed) return undefined;
  const { from, nonce } = signed.authorization;
  return happens(scene, `${from} cancels its payment ${nonce.slice(-4)}`, () => {
    scene.world.model.cancel(from, nonce);
    if (b % 2) scene.world.model.mine();
  });
};

/** Moves money of a wallet: to another address, back, or to the treasury without a purpose. */
export const moveAction: Action = (scene, { a, b, c }) => {
  const { model } = scene.world;
  const wallet = pick(scene.wallets, a)!;
  const spend = [ELSEWHERE, ELSEWHERE, TREASURY][c % 3]!;
  const amount = spend === TREASURY ? 1 + (b % 300_000) : Math.floor(model.balance(wallet) * (b % 2 ? 1 : 0.9));
  return happens(scene, `${wallet} sends ${amount} to ${spend}`, () => {
    if (amount === 0) return;
    model.transfer(wallet, spend, amount);
    model.mine();
  });
};

export const fundAction: Action = (scene, { a, b }) => {
  const wallet = pick(scene.wallets, a)!;
  return happens(scene, `${wallet} gets USDC`, () => scene.world.fund(wallet, 1 + (b % 500)));
};

export const shortTimeAction: Action = (scene, { a }) => pass(scene, pick(SHORT_MS, a)!);
export const longTimeAction: Action = (scene, { a }) => pass(scene, pick(LONG_MS, a)!);

function pass(scene: Scene, ms: number): Promise<void> {
  return happens(scene, `${ms / 1000} s pass`, () => void (scene.world.time.trueMs += ms));
}

/** Moves time to just before or after the next event that depends on time. */
export const nextTimeAction: Action = (scene, { a, b }) => {
  const now = scene.world.clock.now().getTime();
  const due = scene.now.projects
    .flatMap(({ due_at, deadline, status }) => [due_at, status === 'open' ? deadline : null])
    .flatMap((at) => (at !== null && Date.parse(at) > now - 1000 ? [Date.parse(at)] : []));
  const at = pick(
    due.toSorted((one, other) => one - other),
    a,
  );
  if (at === undefined) return undefined;
  const aside = [1, 0, -1, 1_000, -10_000, -20_000, 29_000, 31_000][b % 8]!;
  return pass(scene, Math.max(0, at + aside - now));
};

export const clockAction: Action = (scene, { a }) =>
  happens(scene, `the clock of the service is ${pick(STEPS_MS, a)! / 1000} s off`, () => {
    const { time } = scene.world;
    time.skewMs = pick(STEPS_MS, a)!;
    time.wasBehind ||= time.skewMs < 0;
  });

export const lagAction: Action = (scene, { a }) =>
  happens(scene, `the node is ${(a % 4) * 5} blocks behind`, () => {
    scene.world.model.node.lagBlocks = (a % 4) * 5;
  });

/** Answers or breaks a hanging call while other work has continued. */
export const resumeAction: Action = (scene, { a, b }) => {
  const { outside } = scene.world;
  const call = pick(outside.held, a);
  if (!call) return undefined;
  return happens(scene, `the ${call.what} that hung ${b % 3 ? 'is answered' : 'breaks'}`, async () => {
    outside.held.splice(outside.held.indexOf(call), 1);
    if (b % 3) call.goOn();
    else call.fail();
    await outside.quiet(Promise.resolve());
  });
};

export const restartAction: Action = (scene, { on }) =>
  happens(scene, `process ${on} is killed and started again`, () => scene.world.restart(on));
