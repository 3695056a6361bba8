import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { recoveryOperations } from '../../../contract/operator/recovery.ts';
import type { Context } from '../../deps.ts';
import type { OperatorCaller } from '../../callers.ts';
import type { Queryable } from '../../db/database.ts';
import { recoverNow } from '../../reconciliation/public.ts';
import {
  findParties,
  findPartiesOfPayments,
  findPartiesOfStrays,
  NOBODY,
  type Parties,
  partiesBy,
} from './party-queries.ts';

type Ctx = Context<OperatorCaller>;
type Recover = typeof recoveryOperations.recover;

/** Books the transfers that the database lost, or tells which it would book, with the people behind them. */
export async function recover(ctx: Ctx, input: Input<Recover>): Promise<Output<Recover>> {
  const { transfers, ...report } = await recoverNow(ctx, input);
  const of = await partiesOfSubjects(
    ctx.reads,
    transfers.flatMap(({ subject }) => subject ?? []),
  );
  const named = transfers.map((each) => ({ ...each, parties: each.subject === null ? NOBODY : of(each.subject) }));
  return { ...report, transfers: named };
}

/** Finds the parties of subjects such as `payout:<id>`. An address has none. */
async function partiesOfSubjects(db: Queryable, subjects: string[]): Promise<(subject: string) => Parties> {
  const idsOf = (kind: string) =>
    subjects.flatMap((subject) => (subject.startsWith(`${kind}:`) ? [subject.slice(kind.length + 1)] : []));
  const [money, payments, strays] = await Promise.all([
    findParties(db, [
      ...idsOf('project').map((id) => ({ id, kind: 'escrow' as const, subjectId: id })),
      ...idsOf('submission').map((id) => ({ id, kind: 'entry_fee' as const, subjectId: id })),
      ...idsOf('payout').map((id) => ({ id, kind: 'payout' as const, subjectId: id })),
    ]),
    findPartiesOfPayments(db, idsOf('payment')),
    findPartiesOfStrays(db, idsOf('stray')),
  ]);
  const of = partiesBy([...money, ...payments, ...strays]);
  return (subject) => of(subject.slice(subject.indexOf(':') + 1));
}
