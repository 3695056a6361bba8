// judging/ends/ offers each way in which a project ends, and the rules that find the winner and the shares. The rest is
// private.

// The ends of a project, each in the transaction of its caller.
export { award } from './award.ts';
export { complete } from './complete.ts';
export { reopenAward } from './reopen-award.ts';
export { withDecision } from './decide.ts';
export { cancelWithRefunds } from './cancel-with-refunds.ts';
export { endWithoutEntry, endWithoutWinner } from './end-without-winner.ts';
export { settleSilence } from './settle-silence.ts';

// Automatic results: put on hold, decided again, paid.
export { decideAgain, decideAutomatically, payHeld, requireHeld } from './hold-result.ts';

// Entry fees that go back.
export { refundAllFees, refundUnconfirmedFees, refundUnservedFees } from './refund-fees.ts';

// The rules that find the winner and the shares.
export { decideWinner, isEligible, selectByScores } from './selection.ts';
export { sharingEntries } from './sharing-entries.ts';
