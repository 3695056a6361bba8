import { operations } from '../contract/operations.ts';
import type { Api } from './api.ts';
import type { Brief } from './cast.ts';
import { createWallet, fund, transactionOf } from './wallet.ts';

const DAY_MS = 86_400_000;

export type OpenProject = {
  id: string;
  title: string;
  /** A client of the API with the poster's key. */
  api: Api;
  transaction: string;
};

export type DemoPoster = {
  name: string;
  key: string;
  /** Creates a draft and returns its id. */
  draftProject(idea: Brief): Promise<string>;
  /** Drafts the brief and publishes it by paying the prize into escrow. */
  openProject(idea: Brief): Promise<OpenProject>;
};

/** Creates a poster with an account and a wallet. */
export async function registerPoster(api: Api, name = 'Almanac House'): Promise<DemoPoster> {
  const wallet = createWallet();
  const { data: poster } = await api.call(operations.createPoster, { body: { poster_name: name } });
  const own = api.as(poster.apiKey);
  const draftProject = async (idea: Brief) => {
    const { data } = await own.call(operations.draftProject, {
      body: { ...idea, auto_select_deadline: new Date(Date.now() + DAY_MS).toISOString() },
    });
    return data.project.id;
  };
  return {
    name,
    key: poster.apiKey,
    draftProject,
    async openProject(idea) {
      await fund(api, wallet, idea.prize_amount);
      const id = await draftProject(idea);
      const paying = wallet.paying(idea.prize_amount);
      const { headers } = await own.call(operations.publishProject, { params: { project_id: id }, fetch: paying });
      return { id, title: idea.title, api: own, transaction: transactionOf(headers) };
    },
  };
}
