import { randomUUIDv7 } from 'node:crypto';
import pino from 'pino';
import { operatorOperations } from '../../../contract/operator/operator.ts';
import { judgingOperations } from '../../../contract/projects/judging.ts';
import { posterOperations } from '../../../contract/posters.ts';
import { entryFeeSubject } from '../../../server/entries/public.ts';
import { refreshFigures } from '../../../server/agents/public.ts';
import type { Context, Deps } from '../../../server/deps.ts';
import { withTransaction } from '../../../server/db/transaction.ts';
import { escrowAccount, feesAccount, TREASURY } from '../../../server/ledger/accounts.ts';
import { postJournal } from '../../../server/ledger/post-journal.ts';
import { getOwnProject } from '../../../server/projects/own-view.ts';
import type { PaymentDeps } from '../../../server/payments/deps.ts';
import { resolveOpenPayment } from '../../../server/payments/settle-now.ts';
import { takeBackVanished } from '../../../server/payments/vanished.ts';
import { prizeSubject } from '../../../server/projects/prize.ts';
import { insertAgent, insertSubmission } from '../rows/rows.ts';
import { EVERY_AWARD } from '../rows/tier-awards.ts';
import { FUNDER, projectsWorld } from './projects-world.ts';
import { advanceProjects } from '../../../server/judging/advance-projects.ts';
import { RECORDING_MS } from '../../../server/judging/end-entries.ts';
import { cancelProjectAsOperator } from '../../../server/judging/cancel-project-as-operator.ts';
import { cancelProject } from '../../../server/judging/cancel-project.ts';
import { chooseWinner } from '../../../server/judging/choose-winner.ts';
import { closeAndChoose } from '../../../server/judging/close-and-choose.ts';
import { closeProject } from '../../../server/judging/close-project.ts';
import { disqualifySubmission } from '../../../server/judging/disqualify-submission.ts';
import { noteEntry } from '../../../server/judging/notes/note-entry.ts';
import { noWinner } from '../../../server/judging/no-winner.ts';
import { reviewSubmission } from '../../../server/judging/review-submission.ts';
import { updateProject } from '../../../server/judging/update-project.ts';
import type { Db } from '../../../server/db/database.ts';
import type { OperatorCaller } from '../../../server/callers.ts';

export const WEEK_MS = 7 * 86_400_000;
export const HOUR_MS = 3_600_000;
/** How long after the end of entries a paid one can be confirmed. */
export const GRACE_MS = 30_000;
/** How long the timers wait for it then. */
export const WAIT_MS = GRACE_MS + RECORDING_MS;
const FEE_MICRO = 250_000;

type EntryOptions = {
  /** `settling`: the outcome of the payment is not known yet. */
  fee?: 'settled' | 'settling' | 'none';
  confirmed?: boolean;
  agentId?: string;
  /** The wallet that pays the fee, instead of a new one. */
  payer?: string;
  score?: number;
  scoreSource?: 'poster' | 'ai';
};

/**
 * Creates projects, agents, and entries in a real database, with a clock that tests set. It calls the operations as
 * requests do.
 */
export async function judgingWorld(db: Db, overrides: Partial<Deps> = {}) {
  const config = {
    earlyAccessSeconds: 0,
    minOpenSeconds: 0,
    cancelFeeMicro: 100_000,
    tierRule: EVERY_AWARD,
    ...overrides.config,
  };
  const base = await projectsWorld(db, {
    log: pino({ level: 'silent' }),
    ...overrides,
    config: config as Deps['config'],
  });
  const { deps, poster } = base;
  const operator: Context<OperatorCaller> = {
    ...deps,
    requestId: 'test',
    remoteAddress: '192.0.2.1',
    caller: { kind: 'operator', name: null, scope: 'act' },
  };

  async function newAgent(wallet: string | null = null): Promise<string> {
    const now = base.at();
    const proven = { wallet_address: wallet, wallet_proven: wallet !== null, wallet_linked_at: wallet && now };
    return await insertAgent(db, now, proven);
  }

  /** Inserts a payment as its booking does: the row and its journal in the ledger. */
  async function payment(
    subject: { kind: 'escrow' | 'entry_fee'; subjectId: string; payer: string; amountMicro: number },
    creditTo: string | null,
  ): Promise<string> {
    const id = randomUUIDv7();
    const at = base.at();
    const digits = id.replaceAll('-', '').padEnd(64, '0');
    const settled = { tx_hash: `0x${digits}`, log_index: 0, block_number: 1, settled_at: at, watched: false };
    await withTransaction(db, async (tx) => {
      await tx`insert into payments ${tx({
        id,
        kind: subject.kind,
        subject_id: subject.subjectId,
        network: deps.network.id,
        asset: deps.network.usdc.address.toLowerCase(),
        payer: subject.payer,
        pay_to: deps.payTo,
        amount_micro: subject.amountMicro,
        auth_nonce: `0x${digits}`,
        valid_before: 4_000_000_000,
        x402_version: 2,
        payload: tx.json({}),
        requirements: tx.json({}),
        from_block: 0,
        state: creditTo === null ? 'settling' : 'settled',
        created_at: at,
        sweep_at: at,
        ...(creditTo === null ? {} : settled),
      })}`;
      if (creditTo === null) return;
      const { amountMicro } = subject;
      const lines = [
        { account: TREASURY, amountMicro },
        { account: creditTo, amountMicro: -amountMicro },
      ];
      await postJournal(tx, { id: randomUUIDv7(), kind: subject.kind, paymentId: id, at, lines });
    });
    return id;
  }

  /** Opens a project with its prize in escrow, also in the ledger. Its deadline is one week away. */
  async function openProject(change: object = {}): Promise<string> {
    const id = await base.draft({ auto_select_deadline: base.at(WEEK_MS).toISOString(), ...change });
    const [row] = await db<[{ prize: number }]>`select prize_micro as prize from projects where id = ${id}`;
    const prize = { kind: 'escrow', subjectId: id, payer: FUNDER, amountMicro: row.prize } as const;
    await payment(prize, escrowAccount(id));
    await base.open(id);
    return id;
  }

  async function enter(projectId: string, options: EntryOptions = {}) {
    const { fee = 'settled', confirmed = true, score = null } = options;
    const agentId = options.agentId ?? (await newAgent());
    const now = base.at();
    const source = score === null ? null : (options.scoreSource ?? 'poster');
    const id = await insertSubmission(db, now, {
      project_id: projectId,
      agent_id: agentId,
      status: confirmed ? 'submitted' : 'pending',
      entry_fee_paid_micro: fee === 'settled' ? FEE_MICRO : 0,
      submitted_at: confirmed ? now : null,
      score,
      score_source: source,
      scored_at: score === null ? null : now,
    });
    if (confirmed) await withTransaction(db, async (tx) => await refreshFigures(tx, [agentId]));
    const payer = options.payer ?? `0x${id.replaceAll('-', '').padEnd(40, '0')}`;
    if (fee !== 'none')
      await payment(
        { kind: 'entry_fee', subjectId: id, payer, amountMicro: FEE_MICRO },
        fee === 'settled' ? feesAccount(projectId) : null,
      );
    if (confirmed) await db`update projects set total_submissions = total_submissions + 1 where id = ${projectId}`;
    return { id, agentId, payer };
  }

  const params = (project_id: string, submission_id = '') => ({ params: { project_id, submission_id } });
  return {
    ...base,
    operator,
    newAgent,
    payment,
    openProject,
    enter,
    /** Creates a project in judging with one entry per score. Null means that the entry has no score. */
    async judged(scores: (number | null)[], change: object = {}) {
      const id = await openProject(change);
      const entries = [];
      for (const score of scores) {
        entries.push(await enter(id, score === null ? {} : { score }));
        base.advance(1000);
      }
      await closeProject(poster, params(id));
      return { id, entries };
    },
    advanceProjects: (stopping?: AbortSignal) => advanceProjects(deps, stopping),
    read: async (id: string) =>
      posterOperations.getOwnProject.output.parse(await getOwnProject(poster, params(id))).project,
    close: async (id: string) => judgingOperations.closeProject.output.parse(await closeProject(poster, params(id))),
    cancel: async (id: string, body: object = {}, by = poster) =>
      posterOperations.cancelProject.output.parse(
        await cancelProject(by, { ...params(id), body: posterOperations.cancelProject.body.parse(body) }),
      ).project,
    choose: async (id: string, submission_id: string, send_drafts = false) =>
      judgingOperations.chooseWinner.output.parse(
        await chooseWinner(poster, { ...params(id), body: { submission_id, send_drafts } }),
      ).project,
    review: async (id: string, submissionId: string, body: object) =>
      judgingOperations.reviewSubmission.output.parse(
        await reviewSubmission(poster, {
          ...params(id, submissionId),
          body: judgingOperations.reviewSubmission.body.parse(body),
        }),
      ).review,
    closeAndChoose: async (id: string, submission_id: string | null) =>
      judgingOperations.closeAndChoose.output.parse(
        await closeAndChoose(poster, { ...params(id), body: { submission_id } }),
      ),
    noWinner: async (id: string, reason: string) =>
      judgingOperations.noWinner.output.parse(await noWinner(poster, { ...params(id), body: { reason } })),
    update: async (id: string, patch: object) =>
      posterOperations.updateProject.output.parse(
        await updateProject(poster, { ...params(id), body: posterOperations.updateProject.body.parse(patch) }),
      ).project,
    note: async (id: string, submissionId: string, body: object) =>
      judgingOperations.noteEntry.output.parse(
        await noteEntry(poster, { ...params(id, submissionId), body: judgingOperations.noteEntry.body.parse(body) }),
      ).note,
    operatorCancel: async (id: string, reason = 'Against the rules', keep_fee = false) =>
      operatorOperations.cancelProjectAsOperator.output.parse(
        await cancelProjectAsOperator(operator, { ...params(id), body: { reason, keep_fee } }),
      ).project,
    disqualify: async (id: string, submissionId: string, reason = 'Copied') =>
      operatorOperations.disqualifySubmission.output.parse(
        await disqualifySubmission(operator, { ...params(id, submissionId), body: { reason } }),
      ).submission,
    /** The transfer of a settled payment vanishes from the chain. Returns what decides it again, by what the chain says then. */
    async vanish(kind: 'escrow' | 'entry_fee', subjectId: string): Promise<(state: object) => Promise<unknown>> {
      const subjects = { escrow: prizeSubject(deps), entry_fee: entryFeeSubject(deps) };
      const payments = { subjects, waitMs: 1_000, leaseMs: 30_000 };
      const balances = { drop: () => {} };
      const when = (state: object) =>
        ({ ...deps, chain: { authorization: async () => state }, payments, balances }) as unknown as PaymentDeps;
      const [row] = await db<
        [{ id: string }]
      >`select id from payments where kind = ${kind} and subject_id = ${subjectId}`;
      await takeBackVanished(when({ state: 'dead' }), [row.id]);
      return async (state) => await resolveOpenPayment(when(state), { kind, subjectId });
    },
    /** Returns what the service owes for a project, as text. */
    async owed(projectId: string): Promise<string[]> {
      const rows = await db<{ kind: string; amount: number; recipient: string | null; state: string }[]>`
        select kind, amount_micro as amount, recipient, state from payouts where project_id = ${projectId}
        order by amount_micro desc, created_at, id`;
      return rows.map(({ kind, amount, recipient, state }) => `${kind} ${amount} ${recipient ?? 'no-wallet'} ${state}`);
    },
    async outcomes(projectId: string) {
      return [
        ...(await db<{ id: string; outcome: string | null; rank: number | null; earnings: number }[]>`
          select id, outcome, rank, earnings_micro as earnings from submissions where project_id = ${projectId}
          order by submitted_at, id`),
      ].map(({ outcome, rank, earnings }) => `${outcome} ${rank} ${earnings}`);
    },
    async transitions(projectId: string): Promise<string[]> {
      const rows = await db<{ from: string; to: string; actor: string }[]>`
        select from_status as from, to_status as to, actor from project_transitions where project_id = ${projectId}
        order by at, to_status desc`;
      return rows.slice(1).map(({ from, to, actor }) => `${from} ${to} ${actor.replace(/:.*/, '')}`);
    },
    async audited(subject: string): Promise<string[]> {
      const rows = await db<{ action: string; actor: string; reason: string | null }[]>`
        select action, actor, reason from audit_trail where subject = ${subject} order by at, id`;
      return rows.map(({ action, actor, reason }) => `${action} ${actor.replace(/:.*/, '')} ${reason}`);
    },
  };
}
