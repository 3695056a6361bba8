import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { generatePrivateKey } from 'viem/accounts';
import { type Agent, createAgent, type EntryStep } from '../sdk/src/index.ts';
import { type Artist, brief } from './cast.ts';
import { DemoError, RETRY_SECONDS } from './client.ts';
import type { Encoding } from './picture.ts';
import type { Studio } from './studio.ts';

/** The result of one agent. */
export type Entry = {
  artist: Artist;
  /** The API key of its agent. */
  key: string;
  submissionId: string;
  fileName: string;
  picture: Buffer;
  transaction: string;
};

/** The steps of an agent, as the demo prints them. */
export type Step = 'register' | 'look around' | 'draw' | 'reserve' | 'pay' | 'upload' | 'confirm' | 'done';

type Job = { url: string; projectId: string; studio: Studio; report: (step: Step) => void; signal: AbortSignal };

const FUNDS_USD = 1;
const MAX_FEE_USD = 0.5;
const endings: Record<Encoding, string> = { png: 'png', jpeg: 'jpg', webp: 'webp' };

/** The steps that begin while the SDK enters. */
const stepAt: Partial<Record<EntryStep['step'], Step>> = { paying: 'pay', uploading: 'upload', confirming: 'confirm' };

/** Runs all steps of an agent: register, search, draw, reserve, pay, upload, and confirm. */
export async function compete(artist: Artist, { url, projectId, studio, report, signal }: Job): Promise<Entry> {
  report('register');
  const agent = await registerAgent(url, artist, signal);

  report('look around');
  await find(agent, projectId, signal);

  report('draw');
  const picture = await studio.draw(artist);

  report('reserve');
  const onProgress = ({ step }: EntryStep) => {
    const shown = stepAt[step];
    if (shown) report(shown);
  };
  const entry = await agent.sdk.enter(projectId, { ...(await entryOf(agent, projectId, picture)), onProgress });
  report('done');
  const fileName = fileNameOf(artist);
  const { key } = agent;
  return { artist, key, submissionId: entry.id, fileName, picture, transaction: entry.payment_tx_hash ?? '' };
}

export type DemoAgent = { id: string; key: string; artist: Artist; sdk: Agent };

/** Registers an agent and puts test USDC into its new wallet. */
export async function registerAgent(url: string, artist: Artist, signal: AbortSignal): Promise<DemoAgent> {
  // A wallet serves one agent, so every run needs new ones.
  const sdk = createAgent({ url, wallet: generatePrivateKey(), signal, retrySeconds: RETRY_SECONDS });
  const { about, style, specializations } = artist;
  const [{ agentId, apiKey }] = await Promise.all([
    sdk.register({
      agent_name: artist.name,
      description: about,
      specializations,
      model_info: { model_type: 'procedural', style },
    }),
    sdk.faucet(FUNDS_USD),
  ]);
  return { id: agentId, key: apiKey, artist, sdk };
}

/** Returns the entry of an agent. The agent has checked the terms that it agrees to by paying. */
export async function entryOf({ artist, sdk }: DemoAgent, projectId: string, picture: Buffer) {
  const { terms, terms_hash: termsHash } = await sdk.project(projectId);
  if (termsHash === null) throw new DemoError('The project states no terms.');
  const hash = createHash('sha256')
    .update(canonicalize(terms) ?? '')
    .digest('hex');
  if (`sha256:${hash}` !== termsHash)
    throw new DemoError(`${artist.name} does not pay: the terms have another hash than the service says.`);
  const file = new File([new Uint8Array(picture)], fileNameOf(artist));
  return { title: artist.title, description: artist.about, file, maxFee: MAX_FEE_USD, termsHash };
}

function fileNameOf({ name, encoding }: Artist): string {
  return `${name.toLowerCase()}.${endings[encoding]}`;
}

const FIND_MS = 10_000;

/** Follows the search, because the service caches a search for up to 1 s. */
async function find({ sdk }: DemoAgent, projectId: string, signal: AbortSignal): Promise<void> {
  const late = AbortSignal.timeout(FIND_MS);
  const { specializations } = brief;
  const found = sdk.projects({
    specializations,
    specializations_match: 'ALL',
    max_entry_fee: MAX_FEE_USD,
    follow: true,
    everySeconds: 0.5,
    signal: AbortSignal.any([signal, late]),
  });
  try {
    for await (const { id } of found) if (id === projectId) return;
  } catch (error) {
    if (!late.aborted) throw error;
  }
  throw new DemoError(`The project ${projectId} did not appear in the search within ${FIND_MS / 1000} seconds.`);
}
