import { generatePrivateKey } from 'viem/accounts';
import { operations } from '../contract/operations.ts';
import { createClient, createPoster, type Poster } from '../sdk/src/index.ts';
import type { Brief } from './cast.ts';
import { ask, RETRY_SECONDS } from './client.ts';

const DAY_MS = 86_400_000;

export type OpenProject = {
  id: string;
  title: string;
  /** The account of its poster. */
  poster: Poster;
  /** The transaction that paid the prize into escrow. */
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
export async function registerPoster(url: string, signal: AbortSignal, name = 'Almanac House'): Promise<DemoPoster> {
  const options = { url, signal, retrySeconds: RETRY_SECONDS };
  const poster = createPoster({ ...options, wallet: generatePrivateKey() });
  const { apiKey: key } = await poster.register({ poster_name: name });
  const client = createClient({ ...options, key });
  const draftProject = async (idea: Brief) =>
    (await poster.draft({ ...idea, auto_select_deadline: new Date(Date.now() + DAY_MS) })).id;
  return {
    name,
    key,
    draftProject,
    async openProject(idea) {
      await poster.faucet(idea.prize_amount);
      const id = await draftProject(idea);
      await poster.publish(id, { maxPrize: idea.prize_amount });
      const { prize } = await ask(client, operations.getProjectMoney, { params: { project_id: id } });
      return { id, title: idea.title, poster, transaction: prize?.tx_hash ?? '' };
    },
  };
}
