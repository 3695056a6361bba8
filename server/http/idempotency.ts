import { setTimeout as sleep } from 'node:timers/promises';
import { validationError } from '../../contract/errors.ts';
import type { OperationSpec } from '../../contract/operation.ts';
import { limitKey } from '../addresses.ts';
import type { Deps } from '../deps.ts';
import { AnsweredBefore, answerGiven, inProgress, WAIT_MS } from '../idempotency/public.ts';
import type { Once } from '../ports/idempotency.ts';
import type { ParsedInput } from '../serve.ts';
import type { Caller } from '../ports/callers.ts';
import type { Db } from '../ports/database.ts';
import type { SettlementReceipt } from '../ports/payments.ts';

const MAX_LENGTH = 255;
// A registration has no caller whose key alone would open its answer, and that holds an API key.
const MIN_PUBLIC_LENGTH = 16;
const VISIBLE = /^[!-~]+$/;

type Parts = { headers: Pick<Headers, 'get'>; caller: Caller; remoteAddress: string; input: ParsedInput };

/** What `doOnce` needs of a request with an `Idempotency-Key`; undefined without one, or where it means nothing. */
export function onceOf(
  { answerSeals }: Pick<Deps, 'answerSeals'>,
  spec: OperationSpec,
  { headers, caller, remoteAddress, input }: Parts,
): Once | undefined {
  const header = spec.idempotent ? headers.get('idempotency-key') : null;
  if (header === null) return undefined;
  const key = unquoted(header);
  const least = caller.kind === 'public' ? MIN_PUBLIC_LENGTH : 1;
  if (key.length < least || key.length > MAX_LENGTH || !VISIBLE.test(key)) {
    const message = `${least} to ${MAX_LENGTH} visible ASCII characters without spaces; a random UUID is best`;
    throw validationError([{ field: 'idempotency-key', message }]);
  }
  const seal = answerSeals.of(`${spec.id} ${whose(caller, remoteAddress)}`, key);
  const { params, body } = input;
  return {
    seal,
    fingerprint: seal.fingerprint(JSON.stringify([params ?? null, body ?? null])),
    shape: (data) => spec.output.parse(data),
    replayed: false,
  };
}

type Ran = { data: unknown; receipt: SettlementReceipt | null };

/** What is being done for a key in this process, by the row that will tell of it. Per pool: tests have several. */
const underWay = new WeakMap<Db, Map<string, Promise<Ran>>>();

/**
 * What the verb answers, or what was answered before to the same request. In one process the verb does not even begin
 * twice: it may ask a model before its transaction. Several processes meet in `doOnce`.
 */
export async function runOnce(deps: Pick<Deps, 'db' | 'clock'>, once: Once, run: () => Promise<Ran>): Promise<Ran> {
  const works = underWay.get(deps.db) ?? new Map<string, Promise<Ran>>();
  underWay.set(deps.db, works);
  const id = once.seal.id.toString('hex');
  for (let hasWaited = false; ; hasWaited = true) {
    const given = await answerGiven(deps, once);
    if (given) return { data: given, receipt: null };
    const other = works.get(id);
    if (!other) break;
    if (hasWaited) throw inProgress();
    await Promise.race([other.catch(() => {}), sleep(WAIT_MS, undefined, { ref: false })]);
  }
  const work = run();
  works.set(id, work);
  try {
    return await work;
  } catch (error) {
    if (error instanceof AnsweredBefore) return { data: error.answer, receipt: null };
    throw error;
  } finally {
    works.delete(id);
  }
}

export function replayHeaders(once: Once | undefined): Record<string, string> {
  return once?.replayed ? { 'Idempotency-Replayed': 'true' } : {};
}

/** The draft spells the key as a string in quotes, most clients without them: both mean the same. */
function unquoted(header: string): string {
  return /^"(.*)"$/.exec(header)?.[1] ?? header;
}

/** Whoever registers is known by the address alone: from another one the same key is another key. */
function whose(caller: Caller, remoteAddress: string): string {
  if (caller.kind === 'agent') return caller.agentId;
  if (caller.kind === 'poster') return caller.posterId;
  return limitKey(remoteAddress);
}
