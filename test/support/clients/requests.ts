import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { createSiweMessage } from 'viem/siwe';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import { issueKey } from '../../../server/keys/format.ts';
import { everyOperation } from './check-answer.ts';
import { type Answer, type Call, call } from './client.ts';
import { brief, registerAgent, registerPoster } from './journey.ts';
import type { TestWorld } from '../worlds/service-world.ts';

/** Returns the names of the operation's path parameters. */
export function parametersOf(spec: OperationSpec): string[] {
  return [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}

/** Returns the path with the given ids. Other ids are well formed but belong to nothing. */
export function pathOf(spec: OperationSpec, params: Record<string, string> = {}): string {
  return spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? missingId(name));
}

/** Returns a well-formed id that belongs to nothing. */
export function missingId(name: string): string {
  return MISSING[name] ?? randomUUIDv7();
}

/** The parameters that are no UUIDs. */
const MISSING: Record<string, string> = {
  key_id: '0123456789ABCDEFGHIJKL',
  licence_id: 'CC0-1.0',
  version: '999',
  name: 'nobody',
  act: 'hold',
  address: `0x${'cd'.repeat(20)}`,
};

/** The queries that operations need. */
const QUERIES: Record<string, string> = { findAsOperator: '?q=lighthouse' };

/** Calls an operation with everything that the service checks before the body. */
export async function callOperation(
  url: string,
  spec: OperationSpec,
  { params, ...options }: Call & { params?: Record<string, string> } = {},
): Promise<Answer> {
  const headers = { ...(spec.headers ? { 'x-forwarded-for': '203.0.113.7' } : {}), ...options.headers };
  return await call(url, spec.method.toUpperCase(), `${pathOf(spec, params)}${QUERIES[spec.id] ?? ''}`, {
    ...options,
    headers,
  });
}

export type Keys = { agent: string; poster: string; operator: string };

export async function newKeys({ url, operatorKey }: Pick<TestWorld, 'url' | 'operatorKey'>): Promise<Keys> {
  return { agent: (await registerAgent(url)).key, poster: (await registerPoster(url)).key, operator: operatorKey };
}

/** Returns the key that an operation takes, as an option of a call. */
export function keyFor(spec: OperationSpec, keys: Keys): { key?: string } {
  return spec.auth === 'public' ? {} : { key: keys[spec.auth] };
}

/** Returns the answer without its unique parts. The rest must not distinguish one missing resource from another. */
export function withoutId(answer: Answer): unknown {
  const { error, ...rest } = answer.body;
  return { status: answer.status, ...rest, error: { ...error, request_id: '' } };
}

/**
 * Returns the whole answer as text, without its id, its time, and the remaining limit. The texts for another caller's
 * resource and for a missing one must be identical.
 */
export function exactAnswer({ status, headers, body }: Answer): string {
  const varying = /^(?:x-request-id|date|(?:x-)?ratelimit.*)$/;
  const told = [...headers].filter(([name]) => !varying.test(name));
  const text = JSON.stringify(body).replace(/"request_id":"[0-9a-f-]{36}"/, '"request_id":""');
  return JSON.stringify([status, told, text]);
}

/** Returns valid bodies for the operations that check their body first. */
export function goodBodies(url: string): Record<string, object> {
  const reason = { reason: 'A test of it' };
  const reasoned = everyOperation.filter(({ body }) => body?.safeParse(reason).success);
  const siweMessage = createSiweMessage({
    domain: 'localhost',
    address: `0x${'ab'.repeat(20)}`,
    uri: url,
    version: '1',
    chainId: 84_532,
    nonce: '0123456789abcdef',
  });
  return {
    ...Object.fromEntries(reasoned.map(({ id }) => [id, reason])),
    createIntent: { title: 'Lighthouse' },
    updateMe: { description: 'Another description that is long enough.' },
    draftProject: brief(),
    updateProject: { title: 'Another' },
    addReference: { fileName: 'a.png', fileType: 'image/png', fileSize: 100 },
    createKey: { name: 'A program', scope: 'read' },
    createPosterKey: { name: 'A program', scope: 'read' },
    challengeWallet: { address: `0x${'ab'.repeat(20)}` },
    linkWallet: { message: siweMessage, signature: '0x00' },
    challengeSession: { address: `0x${'ab'.repeat(20)}` },
    createSession: { message: siweMessage, signature: '0x00' },
    renamePoster: { poster_name: 'Another name' },
    // Well formed, so that the database is asked.
    createOperatorSession: { api_key: issueKey('co_test', randomBytes).key },
    createAgentSession: { message: siweMessage, signature: '0x00' },
    registerWebhook: { webhook_url: 'https://agent.example/hooks' },
    createAgentWebhook: { url: 'https://agent.example/hooks', types: ['SUBMISSION.WON'] },
    updateAgentWebhook: { types: ['SUBMISSION.WON'] },
    createPosterWebhook: { url: 'https://poster.example/hooks', types: ['ENTRY.CONFIRMED'] },
    updatePosterWebhook: { types: ['ENTRY.CONFIRMED'] },
    setAgentContact: { address: 'owner@example.com' },
    setPosterContact: { address: 'poster@example.com' },
    cancelProject: {},
    reviewSubmission: { score: 3 },
    noteEntry: { mark: 'shortlist' },
    closeAndChoose: { submission_id: '01a1fd68-1a1d-7b89-b14d-8a21a36746c2' },
    askQuestion: { question: 'Which colors do you like?' },
    answerQuestion: { answer: 'Blue and gray.' },
    moderateQuestion: { hidden: true, reason: 'Advertising' },
    chooseWinner: { submission_id: '01a1fd68-1a1d-7b89-b14d-8a21a36746c2' },
    awardProject: { submission_id: '01a1fd68-1a1d-7b89-b14d-8a21a36746c2', reason: 'The poster abused it' },
    withdrawRevenue: { amount_usdc: 1, recipient: `0x${'ab'.repeat(20)}`, reason: 'Fees of November' },
    recover: { dry_run: true },
    adoptTransfer: { tx_hash: `0x${'a'.repeat(64)}`, log_index: 0, reason: 'Sent by hand' },
    setAgentStatus: { status: 'limited', reason: 'Too many complaints' },
    setPosterStatus: { status: 'suspended', reason: 'Too many complaints' },
  };
}
