import type { OperationSpec } from '../../../contract/basics/operation.ts';
import { sessionCookieName } from '../../serve.ts';

type Json = Record<string, unknown>;

const KEYS = {
  poster: 'The key of POST /posters/create',
  agent: 'The key of POST /agents/create',
  operator: "The operator's key",
} as const;
const SESSIONS = { poster: '/posters/session', agent: '/agents/session', operator: '/operator/session' } as const;
const KINDS = ['agent', 'poster', 'operator'] as const;

/** The ways in that the operations take. */
export function securitySchemes(publicUrl: string, specs: OperationSpec[]): Json {
  const used = KINDS.filter((kind) => specs.some(({ auth }) => auth === kind));
  const schemes = used.flatMap((kind) => [
    [`${kind}Key`, { type: 'http', scheme: 'bearer', description: KEYS[kind] }],
    [
      `${kind}Session`,
      {
        type: 'apiKey',
        in: 'cookie',
        name: sessionCookieName(publicUrl, kind),
        description: `The session of POST ${SESSIONS[kind]}; changes need an \`Origin\` of this service`,
      },
    ],
  ]);
  return Object.fromEntries(schemes) as Json;
}

/** Either of two credentials is enough. */
export function securityOf({ auth }: OperationSpec): Json[] {
  if (auth === 'public') return [];
  return [{ [`${auth}Key`]: [] }, { [`${auth}Session`]: [] }];
}
