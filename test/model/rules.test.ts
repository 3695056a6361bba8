import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Contest,
  type Division,
  type Entry,
  operatorShares,
  receivesOf,
  sharingEntries,
  silence,
  winnerTakesIt,
} from './rules.ts';

// The rules promise, for any contest: nothing is lost, and nobody earns by having more accounts than the caps allow.

const wallets = ['a', 'b', 'c', 'd'];
const entry = (free: boolean) =>
  fc.record({
    payer: free ? fc.constant(null) : fc.constantFrom(...wallets),
    disqualified: fc.nat(5).map((chance) => chance === 0),
    isCopy: fc.nat(5).map((chance) => chance === 0),
  });
const contest = fc.nat(3).chain((chance) => {
  const free = chance === 0;
  return fc.record<Contest>({
    prizeMicro: fc.integer({ min: 1_000_000, max: 1_000_000_000_000 }),
    feePpm: fc.constantFrom(0, 50_000, 333_333),
    entryFeeMicro: free ? fc.constant(0) : fc.integer({ min: 10_000, max: 100_000_000 }),
    entries: fc
      .array(entry(free), { minLength: 1, maxLength: 12 })
      .map((entries) => entries.map((each, index): Entry => ({ id: String(index), ...each }))),
  });
});
const cap = fc.constantFrom(0.5, 1, 10, 1000);

const sharedMicro = ({ shares }: Division) => [...shares.values()].reduce((sum, micro) => sum + micro, 0);
/** However a project ends: by silence, by a share of the operator, or with one winner. */
const divisionsOf = (of: Contest, capTimes: number) => [
  silence(of, capTimes),
  operatorShares(of),
  winnerTakesIt(of, of.entries[0]!.id),
];
/** The income of a party's wallets. */
const takes = (of: Contest, { shares }: Division, isMine: (entry: Entry) => boolean) =>
  of.entries.filter(isMine).reduce((sum, { id }) => sum + (shares.get(id) ?? 0), 0);

describe('a prize', () => {
  it('belongs to the entries, the poster, and the platform, to the microdollar', () => {
    fc.assert(
      fc.property(contest, cap, (of, capTimes) => {
        for (const division of divisionsOf(of, capTimes)) {
          const { toPosterMicro, platformMicro } = division;
          assert.equal(sharedMicro(division) + toPosterMicro + platformMicro, of.prizeMicro);
          assert.ok(toPosterMicro >= 0 && platformMicro === of.prizeMicro - receivesOf(of));
        }
      }),
    );
  });

  it('that nobody won goes to no copy, to no disqualified entry, and once to each wallet', () => {
    fc.assert(
      fc.property(contest, cap, (of, capTimes) => {
        const byId = new Map(of.entries.map((each) => [each.id, each]));
        for (const { shares } of [silence(of, capTimes), operatorShares(of)]) {
          const sharing = [...shares.keys()].map((id) => byId.get(id)!);
          assert.ok(sharing.every(({ disqualified, isCopy }) => !disqualified && !isCopy));
          const payers = sharing.flatMap(({ payer }) => payer ?? []);
          assert.equal(new Set(payers).size, payers.length);
        }
      }),
    );
  });

  it('that the operator shares is shared equally but for the remainder of the division, which goes to the earliest entry', () => {
    fc.assert(
      fc.property(contest, (of) => {
        const amounts = sharingEntries(of).map((id) => operatorShares(of).shares.get(id) ?? 0);
        const [first = 0, ...others] = amounts;
        assert.ok(others.every((micro) => micro === Math.floor(receivesOf(of) / amounts.length)));
        assert.ok(amounts.length === 0 || first - receivesOf(of) / amounts.length < amounts.length);
      }),
    );
  });
});

describe('silence', () => {
  it('gives no entry more than the cap, and nothing at all in a free project', () => {
    fc.assert(
      fc.property(contest, cap, (of, capTimes) => {
        const { shares, toPosterMicro } = silence(of, capTimes);
        for (const micro of shares.values()) assert.ok(micro <= of.entryFeeMicro * capTimes);
        if (of.entryFeeMicro > 0) return;
        assert.deepEqual([shares.size, toPosterMicro], [0, receivesOf(of)]);
      }),
    );
  });

  it('never leaves the platform more than its fee of a prize that somebody paid to compete for', () => {
    fc.assert(
      fc.property(contest, cap, (of, capTimes) => {
        const division = silence(of, capTimes);
        assert.equal(division.toPosterMicro + sharedMicro(division), receivesOf(of));
        const paid = sharingEntries(of).length > 0 && of.entryFeeMicro > 0;
        // Everybody who competed gets something, because an entry fee is at least a cent.
        if (paid) assert.equal(division.shares.size, sharingEntries(of).length);
      }),
    );
  });

  it('gives a party at most one cap for each wallet that paid, however many accounts it has', () => {
    fc.assert(
      fc.property(
        contest,
        cap,
        fc.constantFrom(...wallets),
        fc.integer({ min: 1, max: 40 }),
        (of, capTimes, wallet, more) => {
          const isMine = ({ payer, id }: Entry) => payer === wallet || id.startsWith('more');
          const before = takes(of, silence(of, capTimes), isMine);
          const account = (index: number, payer: string | null): Entry => ({
            id: `more ${index}`,
            payer: of.entryFeeMicro === 0 ? null : payer,
            disqualified: false,
            isCopy: false,
          });
          const accounts = (payerOf: (index: number) => string) =>
            Array.from({ length: more }, (_, index) => account(index, payerOf(index)));
          const grown = (added: Entry[]): Contest => ({ ...of, entries: [...of.entries, ...added] });
          // More accounts that pay from one wallet change nothing, if the wallet shares already.
          const sameWallet = grown(accounts(() => wallet));
          const counted = sharingEntries(of).some((id) => of.entries.find((each) => each.id === id)?.payer === wallet);
          if (counted) assert.equal(takes(sameWallet, silence(sameWallet, capTimes), isMine), before);
          // With a wallet for each account, each adds at most one cap.
          const newWallets = grown(accounts((index) => `${wallet}${index}`));
          const after = takes(newWallets, silence(newWallets, capTimes), isMine);
          assert.ok(after <= before + more * of.entryFeeMicro * capTimes);
        },
      ),
    );
  });

  it('costs an honest entrant nothing: its share is never negative, and its fee goes back', () => {
    fc.assert(
      fc.property(contest, cap, (of, capTimes) => {
        for (const micro of silence(of, capTimes).shares.values()) assert.ok(micro > 0);
      }),
    );
  });
});
