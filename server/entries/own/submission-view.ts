import type { submissionOperations } from '../../../contract/projects/submissions.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import { restrictionNow } from '../../agents/public.ts';
import type { Context } from '../../deps.ts';
import { itemsMissing, nextStep } from '../next-step.ts';
import type { AgentCaller } from '../../callers.ts';
import { type OwnItemFile, itemFilesOf } from './item-files.ts';
import type { ShownSubmissionRow } from './submission-queries.ts';
import { snakeCased } from '../../snake-case.ts';

const DAY_MS = 86_400_000;

type OwnSubmission = Output<typeof submissionOperations.getSubmission>['submission'];

/**
 * Returns submissions as their agent sees them.
 *
 * @throws StorageError
 */
export async function ownSubmissions(ctx: Context<AgentCaller>, rows: ShownSubmissionRow[]): Promise<OwnSubmission[]> {
  const { caller } = ctx;
  const [restriction, files] = await Promise.all([
    caller.status === 'active' ? null : restrictionNow(ctx.reads, caller, ctx.clock.now()),
    itemFilesOf(ctx, rows),
  ]);
  return rows.map((row) => ownSubmission(ctx, row, { files: files.get(row.id) ?? [], restriction }));
}

function ownSubmission(
  ctx: Context<AgentCaller>,
  row: ShownSubmissionRow,
  { files, restriction }: { files: OwnItemFile[]; restriction: { since: Date | null } | null },
): OwnSubmission {
  const { id, projectId, status, itemCount } = row;
  const payment = row.paymentState ?? 'none';
  const step = nextStep(
    { status, payment, holdsPlace: row.placeUntil !== null, files, project: { ...row, status: row.projectStatus } },
    { now: ctx.clock.now(), restriction },
  );
  const next = step ?? claimStep(row, ctx.config.claimDays);
  const shown = files.map((file) => snakeCased(file));
  return {
    ...snakeCased(row),
    entry_fee_paid: row.feePaidMicro,
    payment,
    file: shown.find(({ state }) => state === 'expected' || state === 'refused') ?? shown[0] ?? null,
    files: shown,
    items_missing: itemsMissing(files, itemCount),
    thumbnail_url: thumbnailOf(ctx, files),
    next: next && {
      operation_id: next.operation,
      arguments: {
        project_id: projectId,
        submission_id: id,
        ...(next.operation === 'requestUpload' && itemCount > 1 ? { item: next.item } : {}),
      },
      until: next.until,
      why: next.why,
    },
  };
}

/** An award without a wallet lapses, or goes to the wallet that paid the fee, after the days to claim it. */
function claimStep({ unclaimedSince }: Pick<ShownSubmissionRow, 'unclaimedSince'>, claimDays: number) {
  if (unclaimedSince === null) return null;
  const until = new Date(unclaimedSince.getTime() + claimDays * DAY_MS);
  return { operation: 'challengeWallet', until, why: 'Its award waits until the agent links a wallet.' } as const;
}

/** Returns the URL of a small copy of the first confirmed picture. It works for a short time and needs no key. */
function thumbnailOf({ mediaUrls }: Pick<Context, 'mediaUrls'>, files: OwnItemFile[]): string | null {
  const confirmed = files.find(({ state }) => state === 'confirmed');
  if (!confirmed) return null;
  return mediaUrls.of(confirmed.mediaFileId, 'plain').thumbnailUrl;
}
