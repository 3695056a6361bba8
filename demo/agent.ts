import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import canonicalize from 'canonicalize';
import { operations } from '../contract/operations.ts';
import { type Api, ApiError, DemoError, reach } from './api.ts';
import { type Artist, brief } from './cast.ts';
import type { Encoding } from './picture.ts';
import type { Step } from './progress.ts';
import type { Studio } from './studio.ts';
import { createWallet, fund, transactionOf, type Wallet } from './wallet.ts';

/** The result of one agent. */
export type Entry = {
  artist: Artist;
  submissionId: string;
  fileName: string;
  picture: Buffer;
  transaction: string;
  generationTimeSeconds: number;
};

type Job = { api: Api; projectId: string; studio: Studio; report: (step: Step) => void; signal: AbortSignal };

const FUNDS_USD = 1;
const endings: Record<Encoding, string> = { png: 'png', jpeg: 'jpg', webp: 'webp' };

/** Runs all steps of an agent: register, search, reserve, draw, pay, upload, and confirm. */
export async function compete(artist: Artist, { api, projectId, studio, report, signal }: Job): Promise<Entry> {
  report('register');
  const agent = await registerAgent(api, artist);
  const own = agent.api;

  report('look around');
  await find(own, projectId, signal);

  report('reserve');
  const reserved = await reserve(agent, projectId);
  const { params } = reserved;

  report('draw');
  const picture = await studio.draw(artist);

  report('pay');
  const upload = await payForUpload(agent, reserved, picture, signal);

  report('upload');
  await put(upload.url, `image/${artist.encoding}`, picture, signal);

  report('confirm');
  const { data: confirmed } = await confirmUpload(own, params, signal);
  report('done');
  return {
    artist,
    submissionId: params.submission_id,
    fileName: fileNameOf(artist),
    picture,
    transaction: upload.transaction,
    generationTimeSeconds: confirmed.generationTimeSeconds,
  };
}

export type DemoAgent = { id: string; key: string; artist: Artist; api: Api; wallet: Wallet };

/** Path parameters of an entry. */
type EntryPath = { project_id: string; submission_id: string };

/** Registers an agent and puts test USDC into its new wallet. */
export async function registerAgent(api: Api, artist: Artist): Promise<DemoAgent> {
  const wallet = createWallet();
  const { about, style, specializations } = artist;
  const registration = {
    agent_name: artist.name,
    description: about,
    specializations,
    model_info: { model_type: 'procedural', style },
  };
  const [{ data: agent }] = await Promise.all([
    api.call(operations.createAgent, { body: registration }),
    fund(api, wallet, FUNDS_USD),
  ]);
  return { id: agent.agentId, key: agent.apiKey, artist, api: api.as(agent.apiKey), wallet };
}

/** A reserved entry, and the terms that its agent agrees to by paying. */
export type Reserved = { params: EntryPath; termsHash: string };

/** Creates an intent, and checks the terms before anything is paid. */
export async function reserve({ api, artist }: DemoAgent, projectId: string): Promise<Reserved> {
  const { data } = await api.call(operations.createIntent, {
    params: { project_id: projectId },
    body: { title: artist.title, description: artist.about },
  });
  const { terms, terms_hash: termsHash, submission } = data;
  if (terms === null || termsHash === null) throw new DemoError('The project states no terms.');
  const text = canonicalize(terms) ?? '';
  if (`sha256:${createHash('sha256').update(text).digest('hex')}` !== termsHash)
    throw new DemoError(`${artist.name} does not pay: the terms have another hash than the service says.`);
  return { params: { project_id: projectId, submission_id: submission.id }, termsHash };
}

/** Pays the entry fee and returns the URL for the upload. If the terms changed meanwhile, the service charges nothing. */
export async function payForUpload(
  { api, wallet, artist }: DemoAgent,
  { params, termsHash }: Reserved,
  picture: Buffer,
  signal: AbortSignal,
): Promise<{ url: string; transaction: string }> {
  const file = {
    fileName: fileNameOf(artist),
    fileType: `image/${artist.encoding}`,
    fileSize: picture.length,
    terms_hash: termsHash,
  };
  return await requestUpload(api, wallet, params, file, signal);
}

function fileNameOf({ name, encoding }: Artist): string {
  return `${name.toLowerCase()}.${endings[encoding]}`;
}

const LOOKS = 8;

/** Repeats the search before it fails, because the service caches a search for up to 1 s. */
async function find(api: Api, projectId: string, signal: AbortSignal): Promise<void> {
  const query = {
    status: 'open',
    specializations: brief.specializations.join(','),
    specializations_match: 'ALL',
    max_entry_fee: '0.5',
  };
  for (let look = 0; look < LOOKS; look++) {
    const { data } = await api.call(operations.searchProjects, { query });
    if (data.projects.some((project) => project.id === projectId)) return;
    await sleep(250, undefined, { signal });
  }
  throw new DemoError(`The project ${projectId} did not appear in the search within two seconds.`);
}

const ATTEMPTS = 5;

/**
 * Requests the upload URL and pays the entry fee on the way. PAYMENT_PENDING means that the outcome is not known yet.
 * The agent then sends the same request again, and the service does not charge it twice.
 */
async function requestUpload(
  api: Api,
  wallet: Wallet,
  params: Record<string, string>,
  file: { fileName: string; fileType: string; fileSize: number; terms_hash: string },
  signal: AbortSignal,
): Promise<{ url: string; transaction: string }> {
  const headers = { 'x-forwarded-for': '127.0.0.1' };
  return await whilePending('PAYMENT_PENDING', signal, async () => {
    const answer = await api.call(operations.requestUpload, {
      params,
      headers,
      body: file,
      fetch: wallet.paying(FUNDS_USD),
    });
    return { url: answer.data.uploadUrl, transaction: transactionOf(answer.headers) };
  });
}

/**
 * Confirms the uploaded picture. CONFIRMATION_PENDING means that the picture is still being inspected. The same request
 * then returns the result later.
 */
export async function confirmUpload(api: Api, params: Record<string, string>, signal: AbortSignal) {
  return await whilePending('CONFIRMATION_PENDING', signal, () => api.call(operations.confirmUpload, { params }));
}

/** Sends a request again, after the time that the service names, as long as it answers with this code. */
async function whilePending<T>(code: string, signal: AbortSignal, send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== code || attempt === ATTEMPTS) throw error;
      await sleep(error.retryAfterSeconds * 1000, undefined, { signal });
    }
  }
}

export async function put(url: string, fileType: string, picture: Buffer, signal: AbortSignal): Promise<void> {
  const response = await reach('The upload', () =>
    fetch(url, { method: 'PUT', headers: { 'content-type': fileType }, body: new Uint8Array(picture), signal }),
  );
  if (!response.ok)
    throw new DemoError(`The upload was refused with ${response.status}: ${(await response.text()).slice(0, 200)}`);
}
