import { z } from 'zod';
import { id } from '../../../contract/basics/text.ts';

const TOOLS = {
  createIntent: 'enter_project',
  requestUpload: 'request_upload',
  confirmUpload: 'confirm_entry',
} as const;
type Tooled = keyof typeof TOOLS;

/** The next step of an entry, as the operations name it. */
export type Next = {
  /** No tool links a wallet: that needs its key. */
  operation_id: Tooled | 'challengeWallet';
  arguments: { project_id: string; submission_id?: string | undefined; item?: number | undefined };
  until: string;
  why: string;
};

/** The next step of an entry, with the name of the tool that makes it. */
export const toolNext = z
  .object({
    tool: z.enum(Object.values(TOOLS)),
    arguments: z.object({ project_id: id, submission_id: id.optional(), item: z.int().optional() }),
    until: z.string().optional(),
    why: z.string().optional(),
  })
  .nullable()
  .meta({ description: 'The call that brings the entry one step further; null if nothing can be done now' });

/** Replaces the operation of the next step by its tool. */
export function toToolNext(next: Next | null): z.output<typeof toolNext> {
  if (!next || next.operation_id === 'challengeWallet') return null;
  const { operation_id: operation, arguments: given, until, why } = next;
  return { tool: TOOLS[operation], arguments: given, until, why };
}
