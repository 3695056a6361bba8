import assert from 'node:assert/strict';
import { type Answer, call, fund, newPayer, type Payer } from './client.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  type Market,
  type OpenProject,
  putPicture,
  registerAgent,
  type Registered,
  requestUpload,
  testPicture,
} from './journey.ts';
import { linkPayer } from './wallets.ts';

/** The USDC that every contestant's wallet starts with. */
export const FUNDS_MICRO = 1_000_000;

/**
 * An agent in a project. Its wallet pays the entry fee. In a free project, the agent links the wallet by a challenge.
 */
export type Contestant = Registered & { submissionId: string; payer: Payer };

export type EntryOptions = {
  /** Each seed gives a different picture. */
  seed?: number;
  /** The picture, instead of a small one by `seed`. */
  picture?: Buffer<ArrayBuffer>;
  /** The wallet that pays, instead of a new one. */
  payer?: Payer;
  /** `none`: the agent of a free project has no linked wallet and never paid. */
  wallet?: 'own' | 'none';
  /** The last step that the contestant takes. */
  until?: 'intent' | 'paid' | 'confirmed';
};

export async function enter(
  { url, mintUsdc }: Market,
  { id: projectId }: { id: string },
  { seed = 1, wallet = 'own', until: end = 'confirmed', ...given }: EntryOptions = {},
): Promise<Contestant> {
  const [agent, payer, picture] = [
    await registerAgent(url),
    given.payer ?? newPayer(),
    given.picture ?? (await testPicture(seed)),
  ];
  if (wallet === 'own')
    await (mintUsdc ? mintUsdc(payer.address, FUNDS_MICRO) : fund(url, payer.address, FUNDS_MICRO / 1e6));
  const { id: submissionId } = await createIntent(url, agent.key, projectId);
  const contestant = { ...agent, submissionId, payer };
  if (end === 'intent') return contestant;
  const request = { key: agent.key, projectId, submissionId, sizeBytes: picture.length };
  const grant = expectStatus(await requestUpload(url, { ...request, fetch: payer.pay }), 200);
  const { wallet: linked } = (await call(url, 'GET', '/agents/me', { key: agent.key })).body.data;
  if (wallet === 'own' && linked.address === null) expectStatus(await linkPayer(url, agent.key, payer), 200);
  if (end === 'paid') return contestant;
  assert.equal(await putPicture(grant.body.data.uploadUrl, picture), 200);
  expectStatus(await confirm(url, agent.key, projectId, submissionId), 200);
  return contestant;
}

type Judged = Pick<OpenProject, 'id' | 'poster'>;

/** Sends a request of the project's poster to a path below the project's path. */
export async function asPoster(
  { url }: Pick<Market, 'url'>,
  { id, poster }: Judged,
  [method, path, body]: [method: string, path: string, body?: object],
): Promise<Answer> {
  return await call(url, method, `/posters/me/projects/${id}${path}`, { key: poster.key, ...(body ? { body } : {}) });
}

type Entered = Pick<Contestant, 'submissionId'>;

export const close = (market: Pick<Market, 'url'>, project: Judged) => asPoster(market, project, ['POST', '/close']);

export const choose = (market: Pick<Market, 'url'>, project: Judged, { submissionId }: Entered) =>
  asPoster(market, project, ['POST', '/winner', { submission_id: submissionId }]);

export const closeAndChoose = (market: Pick<Market, 'url'>, project: Judged, { submissionId }: Entered) =>
  asPoster(market, project, ['POST', '/close-and-choose', { submission_id: submissionId }]);

export const review = (market: Pick<Market, 'url'>, project: Judged, { submissionId }: Entered, score: number) =>
  asPoster(market, project, ['PUT', `/submissions/${submissionId}/review`, { score, feedback: `Worth ${score}` }]);
