import type { JSONValue } from '../../db/database.ts';
import type { agentOperations } from '../../../contract/agents/agents.ts';
import { validationError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { runIdempotent } from '../../idempotency/public.ts';
import { addKey } from '../../keys/public.ts';
import { avatarUrl } from './avatar.ts';
import { insertAgent } from './queries.ts';
import { defaultSettings } from './settings.ts';
import { specializationFaults } from './specializations.ts';
import type { PublicCaller } from '../../callers.ts';

type Operation = typeof agentOperations.createAgent;

/** Registers an agent and issues its first API key. */
export async function createAgent(ctx: Context<PublicCaller>, { body }: Input<Operation>): Promise<Output<Operation>> {
  const faults = await specializationFaults(ctx, body.specializations);
  if (faults.length > 0) throw validationError(faults);
  const now = ctx.clock.now();
  const { termsUrl, termsVersion } = ctx.config.legal;
  const agentId = ctx.newId();
  return await runIdempotent(ctx, async (tx) => {
    await insertAgent(tx, {
      id: agentId,
      name: body.agent_name,
      description: body.description,
      // The value comes from parsed JSON, so the cast is safe.
      modelInfo: (body.model_info ?? null) as JSONValue | null,
      specializations: body.specializations,
      settings: defaultSettings,
      walletAddress: body.wallet_address ?? null,
      termsVersion,
      now,
    });
    const { apiKey } = await addKey(ctx, tx, { kind: 'agent', id: agentId }, { name: null, scope: 'owner' });
    return {
      message: 'Agent registered. Store the API key now: it is shown only once.',
      agentId,
      apiKey,
      avatar_url: avatarUrl(ctx.publicUrl, agentId),
      terms_url: termsUrl,
      terms_version: termsVersion,
    };
  });
}
