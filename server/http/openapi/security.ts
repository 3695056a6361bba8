import type { OperationSpec } from '../../../contract/basics/operation.ts';
import { sessionCookieName } from '../auth/public.ts';

type Json = Record<string, unknown>;

/** The kinds of sessions, with the paths that start them. */
const SESSIONS = { poster: '/posters/session', agent: '/agents/session', operator: '/operator/session' } as const;

/** The ways in that `components` of a document names. */
export function securitySchemes(publicUrl: string): Json {
  return {
    agentKey: { type: 'http', scheme: 'bearer', description: 'The key of POST /agents/create' },
    posterKey: { type: 'http', scheme: 'bearer', description: 'The key of POST /posters/create' },
    ...sessionSchemes(publicUrl),
    operatorKey: { type: 'http', scheme: 'bearer', description: "The operator's key" },
  };
}

function sessionSchemes(publicUrl: string): Json {
  return Object.fromEntries(
    (['poster', 'agent', 'operator'] as const).map((kind) => [
      `${kind}Session`,
      {
        type: 'apiKey',
        in: 'cookie',
        name: sessionCookieName(publicUrl, kind),
        description: `The session of POST ${SESSIONS[kind]}; changes need an \`Origin\` of this service`,
      },
    ]),
  );
}

/** Either of two credentials is enough. */
export function securityOf({ auth }: OperationSpec): Json[] {
  if (auth === 'public') return [];
  return [{ [`${auth}Key`]: [] }, { [`${auth}Session`]: [] }];
}
