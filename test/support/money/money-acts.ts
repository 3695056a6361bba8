import { randomUUIDv7 } from 'node:crypto';
import { call, newPayer } from '../clients/client.ts';
import { choose, close, enter } from '../clients/contestants.ts';
import {
  createIntent,
  drawing,
  expectStatus,
  ledger,
  openProject,
  registerAgent,
  requestUpload,
} from '../clients/journey.ts';
import type { OpenProject, Registered } from '../clients/journey.ts';
import { executeOutside } from './strays.ts';
import { until } from '../processes/processes.ts';
import type { PreparedWorld } from '../processes/service-processes.ts';
import { ownProject } from '../endings/ending.ts';

// Every act of an operator that can wait for a second one, each ready to be requested, on the real service.

/** The settings of a service in which every act below waits for an approval, and in which caps hold payouts. */
export const APPROVAL_ENV = {
  APPROVAL_USDC: '0.02',
  AUTO_PAYOUT_HOLD_HOURS: '700',
  PAYOUT_CAP_USDC: '3',
  // One poster gets at most 3 USDC of it a day.
  PAYOUT_DAILY_CAP_USDC: '30',
  ...Object.fromEntries(
    ['LIMIT_POSTER_PER_MINUTE', 'LIMIT_PUBLIC_READS_PER_MINUTE', 'LIMIT_REGISTRATIONS_PER_HOUR'].map((name) => [
      name,
      '100000',
    ]),
  ),
};

export type ReadyAct = {
  /** Below `/operator/`. */
  path: string;
  body: object;
  /** Whether the act has happened. */
  moved(): Promise<boolean>;
};

type Ground = Pick<PreparedWorld, 'db' | 'rpcUrl' | 'mintUsdc' | 'operatorKey'>;

/** Returns the acts by the ids of their operations. Each call of one prepares an act of its own. */
export function moneyActs(ground: Ground, url: string): Record<string, () => Promise<ReadyAct>> {
  const { db, operatorKey: key } = ground;
  const market = { url, mintUsdc: ground.mintUsdc };
  const reason = 'Checked by hand';
  let pictures = 5000;
  const open = async (prizeUsdc = 2, poster?: Registered) =>
    await openProject(market, {
      prizeUsdc,
      entryFeeUsdc: 0.1,
      fields: { judging_hours: 1 },
      ...(poster ? { poster } : {}),
    });
  const entered = async (project: OpenProject) =>
    await enter(market, project, { picture: await drawing((pictures += 1)) });
  const hasPayouts = async ({ id }: OpenProject) =>
    (await db`select from payouts where project_id = ${id} limit 1`).length > 0;
  const actOn = (project: OpenProject, verb: string, body: object = {}): ReadyAct => ({
    path: `projects/${project.id}/${verb}`,
    body: { reason, ...body },
    moved: () => hasPayouts(project),
  });

  /** Ends a project with a prize. Returns it once its payout is in a state. */
  async function won(state: 'settled' | 'held', prizeUsdc: number, poster?: Registered) {
    const project = await open(prizeUsdc, poster);
    const winner = await entered(project);
    expectStatus(await close(market, project), 200);
    expectStatus(await choose(market, project, winner), 200);
    const id = await until(`a ${state} payout`, async () => {
      const [row] = await db<{ id: string }[]>`
        select id from payouts where project_id = ${project.id} and kind = 'prize' and state = ${state}`;
      return row?.id;
    });
    const moved = async () => (await db`select from payouts where id = ${id} and released`).length > 0;
    return { project, id, moved };
  }

  let revenue: Promise<unknown> | null = null;

  return {
    async withdrawRevenue() {
      // The fees of one project are enough for eight withdrawals.
      await (revenue ??= won('settled', 3));
      const recipient = newPayer().address.toLowerCase();
      const listed = { address: recipient, reason: 'Our bank' };
      expectStatus(await call(url, 'POST', '/operator/withdrawal-addresses', { key, body: listed }), 201);
      const id = randomUUIDv7();
      const moved = async () => (await db`select from payouts where reference = ${`withdrawal:${id}`}`).length > 0;
      return { path: 'withdrawals', body: { amount_usdc: 0.03, recipient, reason, withdrawal_id: id }, moved };
    },
    async returnStray() {
      const [agent, project, payer] = [await registerAgent(url), await open(), newPayer()];
      await ground.mintUsdc(payer.address, 1_000_000);
      const { id: submissionId } = await createIntent(url, agent.key, project.id);
      const request = { key: agent.key, projectId: project.id, submissionId, sizeBytes: 1000 };
      await executeOutside(ground.rpcUrl, payer, await requestUpload(url, request));
      await ledger({ url, operatorKey: key });
      const answer = await call(url, 'GET', '/operator/strays?state=unclaimed', { key });
      const strays = expectStatus(answer, 200).body.data.strays as { id: string; sender: string }[];
      const stray = strays.find(({ sender }) => sender === payer.address);
      const moved = async () =>
        (await db`select from payouts where kind = 'return' and recipient = ${payer.address}`).length > 0;
      return { path: `strays/${stray?.id}/return`, body: { reason }, moved };
    },
    async retryPayout() {
      const { id, moved } = await won('held', 4);
      return { path: `payouts/${id}/retry`, body: { reason }, moved };
    },
    async releasePayouts() {
      const { project: first } = await won('settled', 3);
      const { project, moved } = await won('held', 3, first.poster);
      return { path: 'payouts/release', body: { project_id: project.id, reason }, moved };
    },
    async releasePayout() {
      const project = await open();
      await Promise.all([entered(project), entered(project)]);
      expectStatus(await close(market, project), 200);
      await db`update projects set judging_ends_at = now(), due_at = now() where id = ${project.id}`;
      await until('a result on hold', async () => (await ownProject(market, project))['result_on_hold'] !== null);
      // The fees go back when the result goes on hold, so payouts of the project say nothing.
      const moved = async () =>
        (await db`select from audit_trail where subject = ${`project:${project.id}`} and action = 'project.release'`)
          .length > 0;
      return { ...actOn(project, 'release'), moved };
    },
    async cancelProjectAsOperator() {
      const project = await open();
      await entered(project);
      return actOn(project, 'cancel');
    },
    async awardProject() {
      const project = await open();
      const { submissionId } = await entered(project);
      return actOn(project, 'award', { submission_id: submissionId });
    },
    async disqualifySubmission() {
      const project = await open();
      const { submissionId } = await entered(project);
      const moved = async () =>
        (await db`select from submissions where id = ${submissionId} and disqualified_at is not null`).length > 0;
      return { path: `projects/${project.id}/submissions/${submissionId}/disqualify`, body: { reason }, moved };
    },
    async shareProject() {
      const project = await open();
      await entered(project);
      return actOn(project, 'share');
    },
  };
}

/** Waits until nothing is being paid. */
export async function untilPaid({ db }: Pick<Ground, 'db'>): Promise<void> {
  await until('all payouts that may go are settled', async () => {
    const [open] = await db`
      select 1 from payouts where state in ('ready', 'sending')
      union all select 1 from payments where state = 'settling' limit 1`;
    return open === undefined;
  });
}
