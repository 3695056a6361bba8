import fc from 'fast-check';
import * as judging from './actions/judging.ts';
import * as moneyIn from './actions/money-in.ts';
import * as moneyOut from './actions/money-out.ts';
import * as around from './actions/on-chain.ts';
import { isOfBatch, SETTLE_FAULTS } from './facilitator-model.ts';
import { FATES } from './outside.ts';
import type { Action, Scene } from './scene.ts';

/** The actions with their frequencies. */
const ACTIONS = {
  draft: [1, moneyIn.draftAction],
  open: [4, moneyIn.openAction],
  publish: [3, moneyIn.publishAction],
  enter: [14, moneyIn.enterAction],
  pay: [10, moneyIn.payAction],
  replay: [4, moneyIn.replayAction],
  confirm: [18, moneyIn.confirmAction],
  review: [5, judging.reviewAction],
  choose: [5, judging.chooseAction],
  close: [4, judging.closeAction],
  reopen: [1, judging.reopenAction],
  claims: [1, moneyOut.claimsAction],
  noWinner: [2, judging.noWinnerAction],
  addPlaces: [1, judging.addPlacesAction],
  cancel: [1, judging.cancelAction],
  circle: [1, judging.circleAction],
  operatorCancel: [2, judging.operatorCancelAction],
  operatorDecide: [1, judging.operatorDecideAction],
  hold: [2, judging.holdAction],
  disqualify: [2, judging.disqualifyAction],
  extend: [1, judging.extendAction],
  advance: [7, judging.advanceAction],
  sweep: [7, moneyOut.sweepAction],
  send: [9, moneyOut.sendAction],
  check: [3, moneyOut.checkAction],
  otherJobs: [1, moneyOut.otherJobsAction],
  retryPayout: [2, moneyOut.retryPayoutAction],
  retryPayment: [1, moneyOut.retryPaymentAction],
  link: [3, moneyOut.linkAction],
  cancelLink: [1, moneyOut.cancelLinkAction],
  returnStray: [1, moneyOut.returnStrayAction],
  mine: [6, around.mineAction],
  rebroadcast: [1, around.rebroadcastAction],
  reorganize: [4, around.reorganizeAction],
  execute: [4, around.executeAction],
  cancelNonce: [1, around.cancelNonceAction],
  move: [1, around.moveAction],
  fund: [1, around.fundAction],
  shortTime: [5, around.shortTimeAction],
  nextTime: [3, around.nextTimeAction],
  longTime: [1, around.longTimeAction],
  clock: [1, around.clockAction],
  lag: [1, around.lagAction],
  resume: [6, around.resumeAction],
  restart: [1, around.restartAction],
} satisfies Record<string, [number, Action]>;
type Kind = keyof typeof ACTIONS;

const trouble = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.record({ at: fc.nat(9), fate: fc.constantFrom(...FATES) }) },
);
const settle = fc.oneof(
  { weight: 7, arbitrary: fc.constant('honest' as const) },
  { weight: 1, arbitrary: fc.constantFrom(...SETTLE_FAULTS) },
  // Payments that fail, are paid again, and then execute are where the service could lose money or charge twice.
  { weight: 1, arbitrary: fc.constantFrom(...SETTLE_FAULTS.filter((fault) => fault.startsWith('refuses'))) },
  // Payments come to a batch one by one, so collecting is more frequent than sending a batch.
  { weight: 3, arbitrary: fc.constant('collects it for a batch, and times out' as const) },
  { weight: 1, arbitrary: fc.constantFrom(...SETTLE_FAULTS.filter(isOfBatch)) },
);
const luck = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(1_000_000) });
const kind = fc.oneof(
  ...Object.entries(ACTIONS).map(([name, [weight]]) => ({ weight, arbitrary: fc.constant(name as Kind) })),
);
const number = fc.nat(9_999);
const step = fc.record({ kind, on: fc.nat(1), luck, settle, trouble, a: number, b: number, c: number });

/** A command of the model-based test: one action of a person or of time. */
class Step implements fc.AsyncCommand<Scene, Scene> {
  readonly drawn: typeof step extends fc.Arbitrary<infer T> ? T : never;
  constructor(drawnStep: Step['drawn']) {
    this.drawn = drawnStep;
  }
  check(): boolean {
    return true;
  }
  async run(scene: Scene): Promise<void> {
    const { kind: name, ...how } = this.drawn;
    const [, act] = ACTIONS[name];
    const acting = act(scene, how);
    if (!acting) return;
    scene.steps += 1;
    await acting;
  }
  toString(): string {
    return this.drawn.kind;
  }
}

export const steps = (most: number) =>
  fc.commands<Scene, Scene, false>([step.map((drawnStep) => new Step(drawnStep))], { maxCommands: most, size: 'max' });

export const settings = fc.record({
  platformFeePpm: fc.constantFrom(50_000, 50_000, 0, 333_333),
  perTransferMicro: fc.constantFrom(1_000_000_000, 1_000_000_000, 9_000_000),
  perDayMicro: fc.constantFrom(5_000_000_000, 5_000_000_000, 20_000_000),
  judgeHours: fc.constantFrom(72, 1, 0),
  holdHours: fc.constantFrom(24, 24, 0),
  noticeMinutes: fc.constantFrom(15, 0),
  // A cap of 1 binds most shares, and a cap of 1000 none.
  silenceShareCap: fc.constantFrom(3, 1, 1000),
  // With 0.4 USDC, most entry fees and some shares add up per wallet; 1 USDC is also more than the smallest prize pays out.
  minTransferMicro: fc.constantFrom(10_000, 400_000, 1_000_000),
  walletChangeMs: fc.constantFrom(72 * 3_600_000, 0),
  // 1 USDC is the smallest prize.
  cancelFeeMicro: fc.constantFrom(100_000, 1_000_000, 0),
  confirmations: fc.constantFrom(1, 10),
  ai: fc.boolean(),
});
