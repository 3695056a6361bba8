import { createHash } from 'node:crypto';
import { posterOperations } from '../../../contract/posters.ts';
import { draftProject } from '../../../server/projects/draft-project.ts';
import { publishProject } from '../../../server/projects/publish-project.ts';
import { confirmUpload } from '../../../server/entries/confirmation/confirm-upload.ts';
import { createIntent } from '../../../server/entries/create-intent.ts';
import { requestUpload } from '../../../server/entries/request-upload.ts';
import { isVanished } from '../invariants.ts';
import { pick, prefer, projectOf, submissionOf } from '../pick.ts';
import { type Action, callers, perform, type Scene, sign, type Signed } from '../scene.ts';
import type { ProjectNow, SubmissionNow } from '../snapshot.ts';
import type { RunningProcess } from '../model-world.ts';
import type { PaymentInRequest } from '../../../server/payments/types.ts';

const FILE = { fileName: 'entry.png', fileType: 'image/png' as const, fileSize: 4, item: 1 };
const ENTRY_FEES = [0.25, 0.25, 1.000001, 0];
const PRIZES = [10, 1, 3.333333, 50];
const OPEN_HOURS = [24, 6, 72, 1];
/** Null: any number of entries. */
const PLACES = [null, null, null, 2, 3];
const SECONDS_VALID = [300, 300, 60, 8, 3600];

/** The kinds of payment in a request. */
const PAYMENTS = ['new', 'new', 'the same', 'of another wallet', 'none'] as const;

function paymentFor(
  scene: Scene,
  { subjectId, valueMicro, wallet }: { subjectId: string; valueMicro: number; wallet: string },
  number: number,
): PaymentInRequest {
  const mode = pick(PAYMENTS, number) ?? 'new';
  const rest = Math.floor(number / PAYMENTS.length);
  if (mode === 'none') return null;
  const before = scene.signed.filter((signed) => signed.subjectId === subjectId);
  const again = mode === 'the same' ? pick(before, rest) : undefined;
  if (again) return again.presented;
  const from = mode === 'of another wallet' ? (pick(scene.wallets, rest) ?? wallet) : wallet;
  const seconds = pick(SECONDS_VALID, rest) ?? 300;
  return sign(scene, { from, valueMicro, subjectId, seconds }, rest % 4 === 3 ? 1 : 2).presented;
}

async function draft(scene: Scene, on: RunningProcess, { a, b, c }: Pick<Parameters<Action>[1], 'a' | 'b' | 'c'>) {
  const hours = pick(OPEN_HOURS, a) ?? 1;
  const places = pick(PLACES, a + b + c) ?? null;
  const body = posterOperations.draftProject.body.parse({
    title: 'A logo for a bakery',
    description: 'We bake bread at night and want a mark for our paper bags.',
    prize_amount: pick(PRIZES, b),
    entry_fee: pick(ENTRY_FEES, c),
    specializations: ['logo-design'],
    ...(places === null ? {} : { max_entries: places }),
    auto_select_deadline: new Date(scene.world.clock.now().getTime() + hours * 3_600_000).toISOString(),
    judging_hours: scene.world.settings.judgeHours,
  });
  const posterId = pick(scene.posters, a)!;
  const { project } = await draftProject(callers(scene).poster(on, posterId), { body });
  return { id: project.id, posterId, prizeMicro: project.prize_amount };
}

function funderOf(scene: Scene, posterId: string): string {
  return scene.wallets[scene.posters.indexOf(posterId)]!;
}

async function publish(
  scene: Scene,
  on: RunningProcess,
  { id, posterId, payment }: { id: string; posterId: string; payment: PaymentInRequest },
): Promise<void> {
  await publishProject(callers(scene).poster(on, posterId), { params: { project_id: id }, payment });
  scene.promised.push({
    what: `project ${id} was published`,
    holds: ({ projects }) => projects.some((project) => project.id === id && project.status !== 'draft'),
  });
}

export const draftAction: Action = (scene, how) =>
  perform(scene, how, { label: 'draft', run: (on) => draft(scene, on, how) });

/** Drafts a project and publishes it with a payment of its own. */
export async function open(scene: Scene, on: RunningProcess, how: Parameters<typeof draft>[2]) {
  const project = await draft(scene, on, how);
  const { id, posterId, prizeMicro: valueMicro } = project;
  const { presented } = sign(scene, { from: funderOf(scene, posterId), valueMicro, subjectId: id, seconds: 300 }, 2);
  await publish(scene, on, { id, posterId, payment: presented });
  return project;
}

export const openAction: Action = (scene, how) =>
  perform(scene, how, { label: 'draft and publish', run: (on) => open(scene, on, how) });

export const publishAction: Action = (scene, how) => {
  const project = projectOf(scene, ['draft'], how.a);
  if (!project) return undefined;
  const { id, poster_id: posterId, prize_micro: valueMicro } = project;
  const payment = paymentFor(scene, { subjectId: id, valueMicro, wallet: funderOf(scene, posterId) }, how.b);
  return perform(scene, how, {
    label: `publish ${id}`,
    subjectId: id,
    run: (on) => publish(scene, on, { id, posterId, payment }),
  });
};

function ownWallet(scene: Scene, agentId: string): string {
  return scene.wallets[scene.posters.length + scene.agents.indexOf(agentId)]!;
}

type Entry = { submissionId: string; projectId: string; agentId: string };

/** Requests the upload and remembers the returned upload URL. */
async function request(scene: Scene, on: RunningProcess, entry: Entry, payment: PaymentInRequest): Promise<void> {
  const { submissionId, projectId, agentId } = entry;
  if (payment && 'authorization' in payment) prove(scene, agentId, payment.authorization.from);
  const { data } = await requestUpload(callers(scene).agent(on, agentId), {
    params: { project_id: projectId, submission_id: submissionId },
    readHeaders: () => ({ 'x-forwarded-for': '192.0.2.7' }),
    readBody: () => FILE,
    payment,
  });
  scene.uploads.set(submissionId, data.uploadUrl.replace('memory://', ''));
  scene.promised.push({
    what: `the fee of submission ${submissionId} was taken`,
    holds: ({ submissions, projects, payments }) => {
      if (payments.some((row) => row.subject_id === submissionId && isVanished(row))) return true;
      const submission = submissions.find(({ id }) => id === submissionId);
      const fee = projects.find(({ id }) => id === projectId)?.entry_fee_micro;
      return submission !== undefined && submission.entry_fee_paid_micro === fee;
    },
  });
}

export function prove(scene: Scene, agentId: string, wallet: string): void {
  const known = scene.proofs.get(agentId) ?? new Set();
  scene.proofs.set(agentId, known.add(wallet));
}

export const enterAction: Action = (scene, how) => {
  const project = projectOf(scene, ['open'], how.a);
  if (project?.status !== 'open') return openAction(scene, how);
  const entered = new Set(scene.now.submissions.filter(({ project_id }) => project_id === project.id).map(agentOf));
  const agentId = prefer(scene.agents, (id) => !entered.has(id), how.b)!;
  return perform(scene, how, {
    label: `enter ${project.id} as ${agentId}`,
    async run(on) {
      const params = { project_id: project.id };
      const body = { title: 'An entry', description: null };
      const { submission } = await createIntent(callers(scene).agent(on, agentId), { params, body });
      const entry = { submissionId: submission.id, projectId: project.id, agentId };
      const quote = {
        subjectId: submission.id,
        valueMicro: project.entry_fee_micro,
        wallet: ownWallet(scene, agentId),
      };
      await request(scene, on, entry, paymentFor(scene, quote, how.c));
    },
  });
};

const agentOf = ({ agent_id }: SubmissionNow) => agent_id;

const entryOf = ({ id, project_id, agent_id }: SubmissionNow): Entry => ({
  submissionId: id,
  projectId: project_id,
  agentId: agent_id,
});

export const payAction: Action = (scene, how) => {
  const failed = new Set(
    scene.now.payments.filter(({ state }) => state === 'failed').map(({ subject_id }) => subject_id),
  );
  const anew = submissionOf(
    scene,
    (submission, project) => unpaid(submission, project) && failed.has(submission.id),
    how.a,
  );
  const found = how.c % 2 === 0 && anew ? anew : submissionOf(scene, unpaid, how.a);
  if (!found) return undefined;
  const { submission, project } = found;
  const wallet = ownWallet(scene, submission.agent_id);
  const quote = { subjectId: submission.id, valueMicro: project.entry_fee_micro, wallet };
  const payment = project.entry_fee_micro === 0 ? null : paymentFor(scene, quote, how.b);
  return perform(scene, how, {
    label: `pay for ${submission.id}`,
    subjectId: submission.id,
    run: (on) => request(scene, on, entryOf(submission), payment),
  });
};

function unpaid({ status, entry_fee_paid_micro }: SubmissionNow, project: ProjectNow): boolean {
  return project.status === 'open' && status === 'pending' && entry_fee_paid_micro === 0;
}

/** Sends an earlier signed payment for its own subject or for another one. */
export const replayAction: Action = (scene, how) => {
  const signed: Signed | undefined = pick(scene.signed, how.a);
  if (!signed) return undefined;
  const { presented: payment } = signed;
  const project = projectOf(scene, ['draft'], how.b);
  if (how.c % 4 === 0 && project)
    return perform(scene, how, {
      label: `replay ${signed.subjectId} to publish ${project.id}`,
      subjectId: project.id,
      run: (on) => publish(scene, on, { id: project.id, posterId: project.poster_id, payment }),
    });
  const submission = prefer(scene.now.submissions, ({ id }) => how.c % 4 === 1 || id === signed.subjectId, how.b);
  if (!submission) return undefined;
  return perform(scene, how, {
    label: `replay ${signed.subjectId} to ${submission.id}`,
    subjectId: submission.id,
    run: (on) => request(scene, on, entryOf(submission), payment),
  });
};

export const confirmAction: Action = (scene, how) => {
  const found = submissionOf(
    scene,
    (submission, { status }) => status === 'open' && submission.status === 'pending',
    how.a,
  );
  if (found?.project.status !== 'open') return enterAction(scene, how);
  const entry = entryOf(found.submission);
  const { submissionId, projectId, agentId } = entry;
  return perform(scene, how, {
    label: `confirm ${submissionId}`,
    subjectId: submissionId,
    async run(on) {
      if (!scene.uploads.has(submissionId)) await request(scene, on, entry, null);
      scene.world.objects.set(scene.uploads.get(submissionId) ?? '', pictureOf(scene, submissionId, how));
      const params = { project_id: projectId, submission_id: submissionId };
      await confirmUpload(callers(scene).agent(on, agentId), { params, body: undefined });
      scene.promised.push({
        what: `submission ${submissionId} was confirmed`,
        holds: ({ submissions }) => submissions.some(({ id, status }) => id === submissionId && status === 'submitted'),
      });
    },
  });
};

/** Returns the picture of an entry. A few agents send the picture of another one. An entry keeps its picture. */
function pictureOf(scene: Scene, submissionId: string, { b, c }: { b: number; c: number }): Buffer {
  const own = () => createHash('sha256').update(submissionId).digest().subarray(0, FILE.fileSize);
  const copied = c % 4 === 0 ? pick([...scene.pictures.values()], b) : undefined;
  const picture = scene.pictures.get(submissionId) ?? copied ?? own();
  scene.pictures.set(submissionId, picture);
  return picture;
}
