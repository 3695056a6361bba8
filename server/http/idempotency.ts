import { validationError } from '../../contract/basics/errors.ts';
import type { OperationSpec } from '../../contract/basics/operation.ts';
import { limitKey } from '../addresses.ts';
import type { Deps } from '../deps.ts';
import { AlreadyAnswered, findReplay } from '../idempotency/public.ts';
import type { IdempotentCall } from '../idempotency/types.ts';
import type { ParsedInput } from '../serve.ts';
import type { Caller } from '../callers.ts';
import type { SettlementReceipt } from '../payments/types.ts';

const MAX_LENGTH = 255;
// A registration has no caller, so the key alone gives access to its answer, which holds an API key.
const MIN_PUBLIC_LENGTH = 16;
const VISIBLE = /^[!-~]+$/;

type Parts = { headers: Pick<Headers, 'get'>; caller: Caller; remoteAddress: string; input: ParsedInput };

/**
 * Returns what `runIdempotent` needs of a request with an `Idempotency-Key`. Returns `undefined` without the header, and
 * for an operation that ignores it.
 *
 * @throws DomainError VALIDATION_ERROR for a malformed key
 */
export function readIdempotentCall(
  { answerSeals }: Pick<Deps, 'answerSeals'>,
  spec: OperationSpec,
  { headers, caller, remoteAddress, input }: Parts,
): IdempotentCall | undefined {
  const header = spec.idempotent ? headers.get('idempotency-key') : null;
  if (header === null) return undefined;
  const key = unquoted(header);
  const least = caller.kind === 'public' ? MIN_PUBLIC_LENGTH : 1;
  if (key.length < least || key.length > MAX_LENGTH || !VISIBLE.test(key)) {
    const message = `${least} to ${MAX_LENGTH} visible ASCII characters without spaces; a random UUID is best`;
    throw validationError([{ field: 'idempotency-key', message }]);
  }
  const seal = answerSeals.of(`${spec.id} ${scopeOf(caller, remoteAddress)}`, key);
  const { params, body } = input;
  const request = JSON.stringify([params ?? null, body ?? null]);
  return {
    seal,
    fingerprint: seal.fingerprint(request),
    shape: (data) => spec.output.parse(data),
    replayed: false,
  };
}

type Result = { data: unknown; receipt: SettlementReceipt | null };

/**
 * Runs the verb, or returns the stored answer of the same request. Of concurrent requests, `runIdempotent` runs one.
 *
 * @throws DomainError IDEMPOTENCY_IN_PROGRESS when the other run takes too long
 */
export async function replayOrRun(
  deps: Pick<Deps, 'db' | 'clock'>,
  call: IdempotentCall,
  run: () => Promise<Result>,
): Promise<Result> {
  const stored = await findReplay(deps, call);
  if (stored) return { data: stored, receipt: null };
  try {
    return await run();
  } catch (error) {
    if (error instanceof AlreadyAnswered) return { data: error.answer, receipt: null };
    throw error;
  }
}

export function replayHeaders(call: IdempotentCall | undefined): Record<string, string> {
  return call?.replayed ? { 'Idempotency-Replayed': 'true' } : {};
}

/** The IETF draft puts the key in quotes, and most clients do not: both forms mean the same key. */
function unquoted(header: string): string {
  return /^"(.*)"$/.exec(header)?.[1] ?? header;
}

/** A registration is known only by its address, so the same key from another address is another key. */
function scopeOf(caller: Caller, remoteAddress: string): string {
  if (caller.kind === 'agent') return caller.agentId;
  if (caller.kind === 'poster') return caller.posterId;
  return limitKey(remoteAddress);
}
