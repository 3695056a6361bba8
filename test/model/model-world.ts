import { createPictureTurns } from '../../server/pictures/decoders.ts';
import { createHash } from 'node:crypto';
import pino from 'pino';
import { readConfig } from '../../server/config.ts';
import { createBreaker } from '../../server/db/breaker.ts';
import type { Context, Deps, World } from '../../server/deps.ts';
import { createAnswerSeals } from '../../server/idempotency/seals.ts';
import { ChainUnavailable } from '../../server/chain/types.ts';
import { FacilitatorUnavailable, type X402Payment, SignerUnavailable, type Treasury } from '../../server/x402/types.ts';
import { networks } from '../../server/chain/networks.ts';
import { facilitatorPayment } from '../../server/x402/presented-payment.ts';
import { createDomains } from '../../server/service.ts';
import { StorageError, type Storage } from '../../server/storage/types.ts';
import { createMailTokens } from '../../server/mail/mail-tokens.ts';
import { createMediaUrls } from '../../server/pictures/urls/media-urls.ts';
import { createOriginalUrls } from '../../server/pictures/urls/original-urls.ts';
import { type Authorization, type ChainModel, createChainModel } from './chain-model.ts';
import { createFacilitatorModel } from './facilitator-model.ts';
import { createJudgeModel } from './judge-model.ts';
import { createLuck } from './luck.ts';
import { createOutside, type Process } from './outside.ts';
import type { Caller } from '../../server/callers.ts';
import type { Db } from '../../server/db/database.ts';

export const START = Date.parse('2026-03-01T12:00:00.000Z');
export const TREASURY = `0x${'a'.repeat(40)}`;
export const network = networks['eip155:84532'];
const USDC = 1_000_000;

/** The settings of a run, drawn at random. */
export type Settings = {
  platformFeePpm: number;
  perTransferMicro: number;
  perDayMicro: number;
  judgeHours: number;
  holdHours: number;
  noticeMinutes: number;
  silenceShareCap: number;
  minTransferMicro: number;
  walletChangeMs: number;
  cancelFeeMicro: number;
  /** The chain takes at most so many blocks back. */
  confirmations: number;
  /** An AI judge decides what no poster scored. */
  ai: boolean;
};

/** Webhooks move no money, so any use of them fails here. */
type MoneyWorld = {
  [
    Part in keyof World as Part extends `${string}ebhook${string}` | 'answerSeals' | 'signing' ? never : Part
  ]: World[Part];
};

export type RunningProcess = { process: Process; deps: Deps };

/**
 * Creates the service's processes over one database, the chain, the facilitator, and the clock. Everything but the
 * database is in memory.
 */
export function createModelWorld(db: Db, settings: Settings) {
  const time = { trueMs: START, skewMs: 0, wasBehind: false };
  const model = createChainModel(time, network.chainId);
  const outside = createOutside();
  const objects = new Map<string, Buffer>();
  const luck = createLuck();
  const errors: { err?: { message?: string; stack?: string }; msg: string; alert?: string; problems?: string[] }[] = [];
  /** Ids start anew in each step, so that a killed process does not change later ids. */
  const ids = { step: 0, atMs: START, used: 0 };
  const nextId = () => ids.step * 1000 + (ids.used += 1);

  const { faultOf } = luck;
  const facilitator = createFacilitatorModel(model, time, { faultOf, gathered: outside.gathered });

  /** Wraps the node, the facilitator, and the storage so that they fail as the real ones do. */
  function portsOf({ call }: Process) {
    const nodeGone = () => new ChainUnavailable(new Error('model'));
    const chain = Object.fromEntries(
      Object.entries(model.chain).map(([name, ask]) =>
        // The service reads this on a timer of the real clock. It is no request to the node.
        typeof ask === 'function' && name !== 'silentMs'
          ? [
              name,
              (...args: never[]) => call(name, () => (ask as (...all: never[]) => Promise<unknown>)(...args), nodeGone),
            ]
          : [name, ask],
      ),
    ) as unknown as World['chain'];
    const facilitatorGone = () => new FacilitatorUnavailable(new Error('model'));
    const signerGone = () => new SignerUnavailable('model');
    const settleGone = () => new Error('the facilitator broke off');
    const storageGone = () => new StorageError('model');
    const storage: Storage = {
      presignUpload: ({ key }) => call('presign', async () => `memory://${key}`, storageGone),
      head: (key) => call('head', async () => described(objects.get(key)), storageGone),
      read: (key) => call('read', async () => objects.get(key) ?? null, storageGone),
      readPart: (key, { from, bytes }) =>
        call('read', async () => objects.get(key)?.subarray(from, from + bytes) ?? null, storageGone),
      write: (key, body) => call('write', async () => void objects.set(key, body), storageGone),
      remove: (key) => call('remove', async () => void objects.delete(key), storageGone),
      check: async () => {},
    };
    const treasury: Treasury = {
      address: TREASURY,
      authorize: (transfer) => call('authorize', async () => signOutgoing(model, transfer), signerGone),
    };
    return {
      chain,
      storage,
      treasury,
      facilitator: {
        ...facilitator,
        verify: (payment: X402Payment) => call('verify', () => facilitator.verify(payment), facilitatorGone),
        settle: (payment: X402Payment) => call('settle', () => facilitator.settle(payment), settleGone),
      },
    };
  }

  const { platformFeePpm, perTransferMicro, perDayMicro } = settings;
  const config = {
    ...readConfig({ NODE_ENV: 'test' }),
    platformFeePpm,
    payoutCaps: { perTransferMicro, perDayMicro },
    autoPayoutHoldHours: settings.holdHours,
    closeNoticeMinutes: settings.noticeMinutes,
    silenceShareCap: settings.silenceShareCap,
    minTransferMicro: settings.minTransferMicro,
    walletChangeMs: settings.walletChangeMs,
    cancelFeeMicro: settings.cancelFeeMicro,
    confirmations: settings.confirmations,
    // Stories seldom last for 14 days.
    claimDays: 1,
  };
  const clock = { now: () => new Date(time.trueMs + time.skewMs) };
  const log = pino(
    { level: 'error' },
    { write: (line: string) => void errors.push(JSON.parse(line) as (typeof errors)[0]) },
  );
  const inspected: World['inspectImage'] = async (bytes) => ({
    width: 100,
    height: 100,
    contentType: 'image/png',
    sha256: createHash('sha256').update(bytes).digest(),
    perceptualHash: 0n,
  });
  function start(): RunningProcess {
    const process = outside.createProcess();
    const database = process.database(db);
    const world: MoneyWorld = {
      config,
      db: database,
      reads: database,
      anonymous: null,
      breaker: createBreaker(() => Promise.resolve(), log),
      clock,
      newId: () => uuidOf(nextId(), ids.atMs),
      randomBytes: (size) => createHash('shake256', { outputLength: size }).update(String(nextId())).digest(),
      // The key is constant, so that random choices do not depend on it.
      paymentSeals: createAnswerSeals({ key: Buffer.alloc(32), randomBytes: (size) => Buffer.alloc(size) }),
      network,
      payTo: TREASURY,
      ai: settings.ai ? createJudgeModel(process) : null,
      inspectImage: inspected,
      pictureTurns: createPictureTurns(),

      renderCopies: async (bytes) => ({
        'plain-image': bytes,
        'plain-thumbnail': bytes,
        'marked-image': bytes,
      }),
      mediaUrls: createMediaUrls({ publicUrl: 'https://concours.test', signingKey: Buffer.alloc(32), clock }),
      originalUrls: createOriginalUrls({ publicUrl: 'https://concours.test', signingKey: Buffer.alloc(32), clock }),
      publicUrl: 'https://concours.test',
      sendMail: null,
      mailTokens: createMailTokens({ key: Buffer.alloc(32) }),
      faucet: null,
      developmentRpcUrl: undefined,
      log,
      ...portsOf(process),
    };
    return { process, deps: createDomains(world as World).deps };
  }

  const processes = [start(), start()];

  return {
    db,
    settings,
    time,
    clock,
    model,
    outside,
    objects,
    luck,
    errors,
    processes,
    /** Whether a payment has executed or still can, and the facilitator broadcast it without denying it. */
    mayHavePaid(payer: string, nonce: string): boolean {
      // A payment that had failed in a block is given up. If another block executes it, it goes back to its payer.
      const hashes = (facilitator.broadcasts.get(nonce) ?? []).filter((hash) => !model.takenBack.has(hash));
      const waiting = [...model.mempool, ...model.dropped];
      const hasMoved = (hash: string) => model.moved.some((each) => each.txHash === hash && each.nonce === nonce);
      // An authorization that its payer cancelled moves nothing any more, though it may still wait in a batch.
      if (model.isUsed(payer, nonce)) return hashes.some(hasMoved);
      if (facilitator.isCollected(nonce)) return true;
      return hashes.some((hash) => hasMoved(hash) || waiting.some((tx) => tx.hash === hash));
    },
    beginStep() {
      ids.step += 1;
      ids.atMs = time.trueMs;
      ids.used = 0;
    },
    /** Creates the context of a caller's request to one of the processes. */
    contextOf<C extends Caller>({ deps }: RunningProcess, caller: C): Context<C> {
      return {
        ...deps,
        // The service prepares public copies in the background, and nothing waits for them.
        publicCopies: { ...deps.publicCopies, prepare: () => {} },
        caller,
        requestId: 'model',
        remoteAddress: '192.0.2.1',
      };
    },
    restart(index: number): void {
      processes[index]?.process.kill();
      processes[index] = start();
    },
    fund(address: string, usdc = 1000) {
      model.mint(address, usdc * USDC);
    },
  };
}

export type ModelWorld = ReturnType<typeof createModelWorld>;

function described(body: Buffer | undefined) {
  return body
    ? { sizeBytes: body.length, contentType: 'image/png', modifiedAt: new Date(0), version: String(body.length) }
    : null;
}

async function signOutgoing(model: ChainModel, transfer: Parameters<Treasury['authorize']>[0]): Promise<X402Payment> {
  const { kind, subjectId, asset, recipient, amountMicro, nonce, validBefore } = transfer;
  const authorization: Authorization = {
    from: TREASURY,
    to: recipient,
    valueMicro: amountMicro,
    validAfter: 0,
    validBefore,
    nonce,
  };
  const quote = {
    kind,
    subjectId,
    network: network.id,
    asset,
    payTo: recipient,
    amountMicro,
    resourceUrl: 'urn:model',
    description: 'model',
  };
  return facilitatorPayment(quote, {
    x402Version: 2,
    scheme: 'exact',
    network: network.id,
    accepted: null,
    ...presentedPart(model, authorization),
  });
}
/** Returns a signed authorization in the format of x402. */
export function presentedPart(model: ChainModel, authorization: Authorization) {
  const { from, to, valueMicro, validAfter, validBefore, nonce } = authorization;
  return {
    authorization: {
      from,
      to,
      value: String(valueMicro),
      validAfter: String(validAfter),
      validBefore: String(validBefore),
      nonce,
    },
    signature: model.signAuthorization(authorization),
  };
}

/** Returns ids in the order of their creation, as UUID version 7 does. */
function uuidOf(count: number, atMs: number): string {
  const time = atMs.toString(16).padStart(12, '0');
  const tail = count.toString(16).padStart(18, '0');
  return [time.slice(0, 8), time.slice(8), `7${tail.slice(0, 3)}`, `8${tail.slice(3, 6)}`, tail.slice(6)].join('-');
}
