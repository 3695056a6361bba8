import type { FileBody, Input, Output } from '../../../contract/basics/operation.ts';
import type { beforePayingOperations } from '../../../contract/projects/before-paying.ts';
import type { Context } from '../../deps.ts';
import { ImageRejected, sniff } from '../../pictures/public.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import { findProjectForEntry } from '../../projects/public.ts';
import { hasForeignEntryOf } from './before-paying-queries.ts';

type Operation = typeof beforePayingOperations.preflightPicture;
type Result = Output<Operation>;

/** Inspects a picture as a confirmation does, and keeps nothing. The body is read in the agent's turn, not before. */
export async function preflightPicture(
  ctx: Context<AgentCaller>,
  { query, file }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId } = query;
  const { agentId, tier } = ctx.caller;
  if (projectId !== undefined) await findProjectForEntry(ctx.reads, { projectId, tier, now: ctx.clock.now() });
  return await ctx.preflights.run(agentId, async () => {
    const { sha256, ...checked } = await check(ctx, file);
    const key = { projectId, agentId, sha256 };
    const duplicate = projectId === undefined ? null : await hasForeignEntryOf(ctx.reads, { ...key, projectId });
    return { ...checked, sha256: sha256.toString('hex'), duplicate };
  });
}

type Checked = Omit<Result, 'sha256' | 'duplicate'> & { sha256: Buffer };

async function check(ctx: Context<AgentCaller>, file: FileBody): Promise<Checked> {
  const body = await file.read();
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const [inspected, digest] = await Promise.all([
    inspect(ctx, bytes, file.contentType),
    // In a thread: a large file would block the process for 10 ms.
    crypto.subtle.digest('SHA-256', body),
  ]);
  const found = sniff(bytes);
  return {
    ...inspected,
    content_type: found && 'type' in found ? found.type : null,
    size_bytes: bytes.length,
    sha256: Buffer.from(digest),
  };
}

async function inspect(
  ctx: Context<AgentCaller>,
  bytes: Buffer,
  contentType: string,
): Promise<Pick<Result, 'ok' | 'problems' | 'width' | 'height'>> {
  try {
    const { width, height } = await ctx.preflightImage(bytes, { contentType });
    return { ok: true, problems: [], width, height };
  } catch (error) {
    if (!(error instanceof ImageRejected)) throw error;
    return { ok: false, problems: [{ field: 'file', message: error.message }], width: null, height: null };
  }
}
