import assert from 'node:assert/strict';
import { type Answer, call, fund, newPayer, type Payer } from './client.ts';
import type { TestWorld } from '../worlds/service-world.ts';

/** Returns the answer if it has this status. Otherwise throws with the whole answer. */
export function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status !== status)
    throw new Error(`${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`);
  return answer;
}

export type Registered = { id: string; key: string };

export async function registerAgent(url: string, body: Record<string, unknown> = {}): Promise<Registered> {
  const answer = await call(url, 'POST', '/agents/create', {
    body: {
      agent_name: 'Test agent',
      description: 'An agent that enters competitions to test the service.',
      specializations: ['logo-design'],
      ...body,
    },
  });
  expectStatus(answer, 201);
  return { id: answer.body.data.agentId, key: answer.body.data.apiKey };
}

export async function registerPoster(url: string): Promise<Registered> {
  const answer = expectStatus(
    await call(url, 'POST', '/posters/create', { body: { poster_name: 'Test poster' } }),
    201,
  );
  return { id: answer.body.data.posterId, key: answer.body.data.apiKey };
}

export type DraftOptions = {
  prizeUsdc?: number;
  entryFeeUsdc?: number;
  deadline?: Date;
  fields?: Record<string, unknown>;
};

export function brief({ prizeUsdc = 1, entryFeeUsdc = 0.25, deadline, fields }: DraftOptions = {}) {
  return {
    title: 'A poster for a lighthouse festival',
    description: 'A poster that shows a lighthouse at dusk, calm water and one boat.',
    prize_amount: prizeUsdc,
    entry_fee: entryFeeUsdc,
    specializations: ['logo-design'],
    auto_select_deadline: (deadline ?? new Date(Date.now() + 3_600_000)).toISOString(),
    ...fields,
  };
}

export type OpenProject = { id: string; poster: Registered; funder: Payer };

/** The service in which a project opens. Set `mintUsdc` if the service has no faucet. */
export type Market = { url: string; mintUsdc?: (address: string, amountMicro: number) => Promise<unknown> };

/** Opens a project over HTTP: a poster drafts it and pays the prize into escrow. */
export async function openProject(
  { url, mintUsdc }: Market,
  options: DraftOptions & { poster?: Registered } = {},
): Promise<OpenProject> {
  const poster = options.poster ?? (await registerPoster(url));
  const draft = expectStatus(
    await call(url, 'POST', '/posters/me/projects', { key: poster.key, body: brief(options) }),
    201,
  );
  const { id } = draft.body.data.project as { id: string };
  const funder = newPayer();
  const { prizeUsdc = 1 } = options;
  await (mintUsdc ? mintUsdc(funder.address, prizeUsdc * 1e6) : fund(url, funder.address, prizeUsdc));
  expectStatus(
    await call(url, 'POST', `/posters/me/projects/${id}/publish`, { key: poster.key, fetch: funder.pay }),
    200,
  );
  return { id, poster, funder };
}

export async function createIntent(url: string, key: string, projectId: string): Promise<{ id: string }> {
  const answer = await call(url, 'POST', `/agents/projects/${projectId}/intent`, {
    key,
    body: { title: 'Lighthouse at dusk' },
  });
  return expectStatus(answer, 201).body.data.submission as { id: string };
}

/** Loads sharp when it is first needed, because many test files draw no picture. */
const loadSharp = async () => (await import('sharp')).default;

/** Draws a small real picture. Each seed gives a different one. */
export async function testPicture(seed = 1, format: 'png' | 'jpeg' | 'webp' = 'png'): Promise<Buffer<ArrayBuffer>> {
  const sharp = await loadSharp();
  const color = { r: (seed * 67) % 256, g: (seed * 131) % 256, b: (seed * 29) % 256 };
  // No SVG here: after the first inspection, this process accepts only raster pictures.
  const dot = { create: { width: 36, height: 36, channels: 3, background: 'white' } } as const;
  const at = { left: 5 + (seed % 100), top: 42 };
  const image = sharp({ create: { width: 160, height: 120, channels: 3, background: color } }).composite([
    { input: dot, ...at },
  ]);
  return Buffer.from(await image.toFormat(format).toBuffer());
}

/**
 * Draws soft areas of light and dark. Pictures of different seeds differ widely, so that the service does not take one
 * for a copy of another.
 */
export async function drawing(seed: number): Promise<Buffer<ArrayBuffer>> {
  const sharp = await loadSharp();
  let state = seed;
  const pixels = Uint8Array.from(
    { length: 64 },
    () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) >> 16,
  );
  const image = sharp(pixels, { raw: { width: 8, height: 8, channels: 1 } }).resize(240, 180, { kernel: 'cubic' });
  return Buffer.from(await image.png().toBuffer());
}

export type UploadRequest = {
  key: string;
  projectId: string;
  submissionId: string;
  sizeBytes: number;
  fileType?: string;
  item?: number;
  /** The terms to which the agent agrees. */
  terms_hash?: unknown;
  fetch?: typeof fetch;
  headers?: Record<string, string>;
};

export async function requestUpload(url: string, request: UploadRequest): Promise<Answer> {
  return await call(url, 'POST', `/agents/projects/${request.projectId}/submissions/${request.submissionId}`, {
    key: request.key,
    body: {
      fileName: 'entry.png',
      fileType: request.fileType ?? 'image/png',
      fileSize: request.sizeBytes,
      item: request.item,
      terms_hash: request.terms_hash,
    },
    headers: { 'x-forwarded-for': '203.0.113.7', ...request.headers },
    ...(request.fetch ? { fetch: request.fetch } : {}),
  });
}

export async function putPicture(
  uploadUrl: string,
  picture: Uint8Array<ArrayBuffer>,
  type = 'image/png',
): Promise<number> {
  const response = await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': type }, body: picture });
  await response.arrayBuffer();
  return response.status;
}

/** Confirms uploaded pictures. Repeats the request while the inspection goes on, as its answer asks for. */
export async function confirm(
  url: string,
  key: string,
  projectId: string,
  submissionId: string,
  body?: object,
  headers?: Record<string, string>,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await confirmOnce(url, key, projectId, submissionId, body, headers);
    if (answer.body.error?.code !== 'CONFIRMATION_PENDING' || tries === MOST_TRIES) return answer;
  }
}

const MOST_TRIES = 20;

export async function confirmOnce(
  url: string,
  key: string,
  projectId: string,
  submissionId: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const path = `/agents/projects/${projectId}/submissions/${submissionId}/confirm`;
  return await call(url, 'POST', path, { key, body, headers });
}

/** Compares the books with the chain, by the operator's endpoint. Returns what it found. */
export async function ledger({ url, operatorKey }: Pick<TestWorld, 'url' | 'operatorKey'>) {
  const answer = expectStatus(await call(url, 'GET', '/operator/ledger', { key: operatorKey }), 200);
  return answer.body.data as {
    balanced: boolean;
    chain_matches: boolean;
    problems: string[];
    unknown_payments: number;
    accounts: { account: string; balance_micro: number }[];
  };
}

/**
 * Asserts that the books balance and match the chain. The treasury holds what the service owes plus the platform's
 * revenue.
 */
export async function assertBooks(service: Pick<TestWorld, 'url' | 'operatorKey'>): Promise<void> {
  const { problems, balanced, chain_matches, unknown_payments, accounts } = await ledger(service);
  assert.deepEqual([problems, balanced, chain_matches, unknown_payments], [[], true, true, 0]);
  const held = accounts.find(({ account }) => account === 'treasury')?.balance_micro ?? 0;
  const owed = accounts.filter(({ account }) => account !== 'treasury').map((each) => each.balance_micro);
  assert.equal(
    owed.reduce((total, each) => total + each, 0),
    held,
    'the trial balance',
  );
}

/** Returns a project as its poster reads it. */
export async function ownProject({ url }: Market, { id, poster }: Pick<OpenProject, 'id' | 'poster'>) {
  const answer = await call(url, 'GET', `/posters/me/projects/${id}`, { key: poster.key });
  return expectStatus(answer, 200).body.data.project as Record<string, unknown>;
}

/** Returns the webhook of the specification as its agent reads it; undefined if there is none. */
export async function specifiedWebhook(url: string, key: string) {
  const { webhooks } = expectStatus(await call(url, 'GET', '/agents/me/webhooks', { key }), 200).body.data;
  return webhooks.find(({ specified }: { specified: boolean }) => specified);
}
