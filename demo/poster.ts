import { operations } from '../contract/operations.ts';
import type { Api } from './api.ts';
import type { Brief } from './cast.ts';
import { createWallet, fund, transactionOf } from './wallet.ts';

const DAY_MS = 86_400_000;

export type OpenProject = {
  id: string;
  title: string;
  /** The poster's own door. */
  api: Api;
  transaction: string;
};

/** A poster with an account and a wallet, and how it funds projects. */
export async function registerPoster(api: Api): Promise<{ openProject(idea: Brief): Promise<OpenProject> }> {
  const wallet = createWallet();
  const { data: poster } = await api.call(operations.createPoster, { body: { poster_name: 'Almanac House' } });
  const own = api.as(poster.apiKey);
  return {
    /** Drafts the brief, and publishes it by paying the prize into escrow. */
    async openProject(idea) {
      await fund(api, wallet, idea.prize_amount);
      const { data: draft } = await own.call(operations.draftProject, {
        body: { ...idea, auto_select_deadline: new Date(Date.now() + DAY_MS).toISOString() },
      });
      const params = { project_id: draft.project.id };
      const paying = wallet.paying(idea.prize_amount);
      const { headers } = await own.call(operations.publishProject, { params, fetch: paying });
      return { id: draft.project.id, title: idea.title, api: own, transaction: transactionOf(headers) };
    },
  };
}
