import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { payoutNonce } from '../payouts/references.ts';
import { signRequest, type SignRequest } from './protocol.ts';
import { payoutRefusal, requestRefusal, type SignerRules } from './rules.ts';
import type { ClaimedPayout } from './signer-queries.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const address = (digit: string) => `0x${digit.repeat(40)}`;
const [PROJECT, ENTRY, PAYMENT] = ['1', '2', '3'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`) as [
  string,
  string,
  string,
];
const rules: SignerRules = {
  network: 'eip155:84532',
  asset: address('a'),
  treasury: address('b'),
  perTransferMicro: 1_000_000,
  perDayMicro: 5_000_000,
  withdrawalAddresses: [address('e')],
  releaseAboveMicro: 500_000,
  approvalAboveMicro: 600_000,
};

const nothing = {
  hasProject: false,
  isAwarded: false,
  prizeMicro: null,
  winnerSubmissionId: null,
  submissionOutcome: null,
  earningsMicro: null,
  isOfAgent: null,
  fromEscrowMicro: 0,
  paidState: null,
  paidBy: null,
  paidMicro: null,
  paidId: null,
  strayId: null,
  straySender: null,
  strayMicro: null,
  isReturned: null,
  addressUsableAt: null,
};

function claimed(change: Partial<ClaimedPayout>): ClaimedPayout {
  const { reference = `project:${PROJECT}:prize`, amountMicro = 100_000, carriedMicro = 0, ...rest } = change;
  return {
    payoutId: '00000000-0000-4000-8000-000000000009',
    kind: 'prize',
    reference,
    state: 'sending',
    recipient: address('c'),
    amountMicro,
    projectId: PROJECT,
    submissionId: ENTRY,
    released: false,
    carriedMicro,
    carriedFits: true,
    paymentState: 'settling',
    network: rules.network,
    asset: rules.asset,
    payer: rules.treasury,
    payTo: rest.recipient ?? address('c'),
    paymentMicro: amountMicro + carriedMicro,
    authNonce: payoutNonce(reference),
    ...nothing,
    releaseRecorded: false,
    approvedMicro: null,
    isStopped: false,
    isContradicted: false,
    withdrawnMicro: 0,
    withdrawnApprovedMicro: 0,
    ...rest,
  };
}

const awarded = {
  hasProject: true,
  isAwarded: true,
  prizeMicro: 110_000,
  fromEscrowMicro: 100_000,
  winnerSubmissionId: ENTRY,
  submissionOutcome: 'won',
  earningsMicro: 100_000,
  isOfAgent: true,
};
const rows = {
  prize: claimed(awarded),
  share: claimed({
    ...awarded,
    kind: 'share',
    reference: `project:${PROJECT}:share:${ENTRY}`,
    winnerSubmissionId: null,
    submissionOutcome: 'shared',
    carriedMicro: 7,
  }),
  refund: claimed({
    kind: 'refund',
    reference: `refund:${PAYMENT}`,
    paidId: PAYMENT,
    paidState: 'settled',
    paidBy: address('c'),
    paidMicro: 100_000,
  }),
  return: claimed({
    kind: 'return',
    reference: `stray:${PAYMENT}`,
    strayId: PAYMENT,
    straySender: address('c'),
    strayMicro: 100_000,
    isReturned: true,
  }),
  withdrawal: claimed({
    kind: 'withdrawal',
    reference: `withdrawal:${PAYMENT}`,
    recipient: address('e'),
    addressUsableAt: new Date(+NOW - 1),
  }),
};

function requestFor(row: ClaimedPayout, change: Partial<SignRequest> = {}): SignRequest {
  return {
    kind: row.kind === 'refund' || row.kind === 'return' ? 'refund' : 'payout',
    payout_id: row.payoutId,
    network: rules.network,
    asset: rules.asset,
    recipient: row.recipient ?? '',
    amount_micro: row.amountMicro + row.carriedMicro,
    nonce: payoutNonce(row.reference),
    valid_before: +NOW / 1000 + 3600,
    ...change,
  };
}

function codeOf(request: SignRequest, row: ClaimedPayout | null, given = rules): string {
  return (requestRefusal(request, given, NOW) ?? payoutRefusal(request, row, given, NOW))?.code ?? 'signs';
}

describe('the rules of the signer', () => {
  for (const [kind, row] of Object.entries(rows))
    it(`let a ${kind} pass`, () => assert.equal(codeOf(requestFor(row), row), 'signs'));

  const forgedRequests: [string, Partial<SignRequest>, string][] = [
    ['another recipient', { recipient: address('d') }, 'wrong_recipient'],
    ['the treasury as the recipient', { recipient: rules.treasury }, 'wrong_recipient'],
    ['a larger amount', { amount_micro: 100_001 }, 'wrong_amount'],
    ['a smaller amount', { amount_micro: 99_999 }, 'wrong_amount'],
    ['another nonce', { nonce: `0x${'7'.repeat(64)}` }, 'wrong_nonce'],
    ['another token', { asset: address('f') }, 'wrong_token'],
    ['another network', { network: 'eip155:8453' }, 'wrong_network'],
    ['a payout as a refund', { kind: 'refund' }, 'wrong_kind'],
    ['a window that is over', { valid_before: +NOW / 1000 }, 'expired'],
    ['a window of two hours', { valid_before: +NOW / 1000 + 7200 }, 'too_long'],
    ['an amount over the cap', { amount_micro: 1_000_001 }, 'over_cap'],
  ];
  for (const [what, change, code] of forgedRequests)
    it(`refuse ${what}`, () => assert.equal(codeOf(requestFor(rows.prize, change), rows.prize), code));

  const forgedRows: [string, keyof typeof rows, Partial<ClaimedPayout>, string][] = [
    ['a payout that is not claimed', 'prize', { state: 'ready' }, 'not_claimed'],
    ['a held payout', 'prize', { state: 'held' }, 'not_claimed'],
    ['a settled payout', 'prize', { paymentState: 'settled' }, 'settled'],
    ['stopped payouts', 'prize', { isStopped: true }, 'payouts_stopped'],
    ['a claim to another wallet', 'prize', { payTo: address('d') }, 'wrong_recipient'],
    ['a claim with another amount', 'prize', { paymentMicro: 1 }, 'wrong_amount'],
    ['a claim with another nonce', 'prize', { authNonce: `0x${'7'.repeat(64)}` }, 'wrong_nonce'],
    ['a claim of another treasury', 'prize', { payer: address('d') }, 'wrong_claim'],
    ['an amount of another wallet taken along', 'share', { carriedFits: false }, 'wrong_amount'],
    ['a project without an award', 'prize', { isAwarded: false }, 'not_owed'],
    ['a prize without a project', 'prize', { hasProject: false }, 'not_owed'],
    ['another entry than the winner', 'prize', { winnerSubmissionId: PAYMENT }, 'not_owed'],
    ['an entry that lost', 'share', { submissionOutcome: 'lost' }, 'not_owed'],
    ['an entry of another agent', 'prize', { isOfAgent: false }, 'not_owed'],
    ['more than the entry earned', 'prize', { earningsMicro: 99_999 }, 'not_owed'],
    ['more than the prize in all', 'share', { fromEscrowMicro: 110_001 }, 'not_owed'],
    ['a refund of an unsettled payment', 'refund', { paidState: 'settling' }, 'not_owed'],
    ['a refund to another wallet than the payer', 'refund', { paidBy: address('d') }, 'not_owed'],
    ['a refund of more than was paid', 'refund', { paidMicro: 99_999 }, 'not_owed'],
    ['a second refund under another reference', 'refund', { paidId: ENTRY }, 'not_owed'],
    ['a return to another wallet than the sender', 'return', { straySender: address('d') }, 'not_owed'],
    ['a return of more than was received', 'return', { strayMicro: 99_999 }, 'not_owed'],
    ['a return of a transfer that a payment owns', 'return', { isReturned: false }, 'not_owed'],
    [
      'a withdrawal to an address whose wait is not over',
      'withdrawal',
      { addressUsableAt: new Date(+NOW + 1) },
      'address_not_listed',
    ],
    [
      'a withdrawal to an address that is not in the database',
      'withdrawal',
      { addressUsableAt: null },
      'address_not_listed',
    ],
  ];
  for (const [what, kind, change, code] of forgedRows)
    it(`refuse ${what}`, () => assert.equal(codeOf(requestFor(rows[kind]), { ...rows[kind], ...change }), code));

  it('refuse an id without a claimed payout', () => {
    assert.equal(codeOf(requestFor(rows.prize), null), 'no_payout');
  });

  it('refuse a reference that does not belong to the award, though its nonce fits', () => {
    const row = claimed({ ...awarded, reference: `project:${PAYMENT}:prize` });
    assert.equal(codeOf(requestFor(row), row), 'not_owed');
  });

  it('refuse a withdrawal to an address that only the database lists', () => {
    const row = { ...rows.withdrawal };
    assert.equal(codeOf(requestFor(row), row, { ...rules, withdrawalAddresses: [] }), 'address_not_listed');
  });

  it('want a recorded release above the cap of the service, and a second operator above APPROVAL_USDC', () => {
    const large = (micro: number, more: Partial<ClaimedPayout> = {}) => {
      const row = claimed({
        ...rows.prize,
        amountMicro: micro,
        paymentMicro: micro,
        earningsMicro: micro,
        prizeMicro: micro,
        fromEscrowMicro: micro,
        ...more,
      });
      return codeOf(requestFor(row), row);
    };
    const released = { released: true, releaseRecorded: true };
    assert.equal(large(500_000), 'signs');
    assert.equal(large(500_001), 'not_released');
    assert.equal(large(500_001, { released: true }), 'not_released');
    assert.equal(large(500_001, released), 'signs');
    assert.equal(large(600_001, released), 'not_approved');
    assert.equal(large(600_001, { ...released, approvedMicro: 600_000 }), 'not_approved');
    assert.equal(large(600_001, { ...released, approvedMicro: 600_001 }), 'signs');
  });

  it('want the release of a payout whose project has another end on chain', () => {
    const contradicted = (more: Partial<ClaimedPayout>) => {
      const row = { ...rows.prize, isContradicted: true, ...more };
      return codeOf(requestFor(row), row);
    };
    assert.equal(contradicted({}), 'contradicted');
    assert.equal(contradicted({ released: true }), 'contradicted');
    assert.equal(contradicted({ released: true, releaseRecorded: true }), 'signs');
  });

  it('want a second operator for a day of withdrawals above APPROVAL_USDC, in slices too', () => {
    const slice = (more: Partial<ClaimedPayout>) => {
      const row = { ...rows.withdrawal, ...more };
      return codeOf(requestFor(row), row);
    };
    assert.equal(slice({ withdrawnMicro: 600_000 }), 'signs');
    assert.equal(slice({ withdrawnMicro: 600_001 }), 'not_approved');
    // An approval of another, smaller act lets no more pass than it names.
    assert.equal(slice({ withdrawnMicro: 700_000, withdrawnApprovedMicro: 99_999 }), 'not_approved');
    assert.equal(slice({ withdrawnMicro: 700_000, withdrawnApprovedMicro: 100_000 }), 'signs');
    assert.equal(
      codeOf(
        requestFor(rows.withdrawal),
        { ...rows.withdrawal, withdrawnMicro: 1e9 },
        { ...rules, approvalAboveMicro: null },
      ),
      'signs',
    );
  });

  it('know one form of request: nothing else is read', () => {
    const good = requestFor(rows.prize);
    assert.equal(signRequest.safeParse(good).success, true);
    const others = [
      { ...good, message: '0x00' },
      { ...good, recipient: good.recipient.toUpperCase() },
      { ...good, amount_micro: 1.5 },
      { ...good, amount_micro: -1 },
      { ...good, nonce: '0x' },
      { message: 'sign me' },
      { types: {}, primaryType: 'Permit', domain: {}, message: {} },
      '0xdeadbeef',
      null,
    ];
    for (const other of others) assert.equal(signRequest.safeParse(other).success, false, JSON.stringify(other));
  });
});
