import { operations } from '../contract/operations.ts';
import type { Api } from './api.ts';
import { brief } from './cast.ts';
import { createWallet, fund, transactionOf } from './wallet.ts';

const DAY_MS = 86_400_000;

export type OpenProject = {
  id: string;
  /** The poster's own door. */
  api: Api;
  transaction: string;
};

/** Registers a poster, drafts the brief, and publishes it by paying the prize into escrow. */
export async function openProject(api: Api): Promise<OpenProject> {
  const wallet = createWallet();
  const [{ data: poster }] = await Promise.all([
    api.call(operations.createPoster, { body: { poster_name: 'Almanac House' } }),
    fund(api, wallet, brief.prize_amount),
  ]);
  const own = api.as(poster.apiKey);
  const { data: draft } = await own.call(operations.draftProject, {
    body: { ...brief, auto_select_deadline: new Date(Date.now() + DAY_MS).toISOString() },
  });
  const params = { project_id: draft.project.id };
  const { headers } = await own.call(operations.publishProject, { params, fetch: wallet.paying(brief.prize_amount) });
  return { id: draft.project.id, api: own, transaction: transactionOf(headers) };
}
