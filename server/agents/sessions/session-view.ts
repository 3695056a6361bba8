import type { sessionOperations } from '../../../contract/sessions.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import type { KeyScope } from '../../../contract/basics/scope.ts';
import type { SessionRow } from '../../keys/public.ts';

export type SignedInAgent = { agentId: string; name: string; scope: KeyScope };
type View = Output<typeof sessionOperations.getAgentSession>;

/** Describes one session. `current`: the id of the session that the request used. */
export function oneSession(
  { id, keyId, createdAt, expiresAt }: SessionRow,
  current: string | undefined,
): View['sessions'][number] {
  return {
    signed_in_with: keyId === null ? 'wallet' : 'key',
    key_id: keyId,
    created_at: createdAt,
    expires_at: expiresAt,
    current: id === current,
  };
}

/** Describes the signed-in agent and its session. */
export function sessionView(
  { agentId, name, scope }: SignedInAgent,
  session: SessionRow | null,
  current: string | undefined,
): Omit<View, 'sessions'> {
  return { agent: { id: agentId, name }, scope, session: session && oneSession(session, current) };
}
