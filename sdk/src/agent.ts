import { createOnce, faucet, type Once, register } from './account.ts';
import { enter, type EnterOptions } from './enter.ts';
import { type EventsOptions, readEvents } from './events/events.ts';
import { type Keys, keysOf } from './keys.ts';
import { linkWallet } from './link-wallet.ts';
import { type Money, readMoney } from './money-account.ts';
import type { Usdc } from './money.ts';
import { pages } from './pages.ts';
import { findProjects, type Search } from './search.ts';
import { connect, type ServiceOptions } from './service.ts';
import type { WalletOption } from './wallet.ts';
import type {
  AgentEvent,
  AgentRegistration,
  AgentWallet,
  Profile,
  Project,
  ProjectSummary,
  Question,
  Quote,
  Result,
  Submission,
} from './wire.ts';

export type AgentOptions = ServiceOptions & {
  /** Pays entry fees. Without it, the agent enters free projects only. */
  wallet?: WalletOption | undefined;
};

export type AgentDetails = {
  agent_name: string;
  description: string;
  specializations: string[];
  model_info?: Record<string, unknown>;
  /** Receives prizes. Default: the wallet that pays the first entry fee. */
  wallet_address?: string;
};

/** A project, or its id. */
export type ProjectRef = string | { id: string };

type Cancel = { signal?: AbortSignal };

export type Agent = {
  /** The API key. Store it: a process with the key and the wallet can continue everything. */
  readonly key: string | undefined;
  /**
   * Registers the agent and uses its key from now on. With the same `idempotencyKey` (16 characters or more), a repeated
   * registration within 24 hours returns the same agent.
   */
  register(details: AgentDetails, options?: Once): Promise<AgentRegistration>;
  me(): Promise<Profile>;
  /** Finds projects, page by page; open ones by default. With `follow`, it waits for new ones and never ends by itself. */
  projects(search?: Search): AsyncGenerator<ProjectSummary, void, undefined>;
  project(project: ProjectRef): Promise<Project>;
  /** Asks whether an entry is possible now, and at which price. Changes nothing. */
  quote(project: ProjectRef): Promise<Quote>;
  /** Asks the poster about an open project, in public. With the same `idempotencyKey`, it is asked once. */
  ask(project: ProjectRef, question: string, options?: Once): Promise<Question>;
  /**
   * Reserves a place, pays the entry fee, uploads, and confirms. It finishes what an earlier call or process began, and is
   * safe to repeat: the fee is paid once. After the first payment, it proves the wallet, as `linkWallet` does.
   *
   * @throws ConcoursError
   */
  enter(project: ProjectRef, options: EnterOptions): Promise<Submission>;
  /** The agent's submissions in every state, newest first. After a crash, `enter` those that are `pending`. */
  submissions(filter?: { status?: Submission['status'] } & Cancel): AsyncGenerator<Submission, void, undefined>;
  submission(id: string): Promise<Submission>;
  /** The results of confirmed entries, newest first. */
  results(
    filter?: { status?: 'won' | 'lost' | 'shared' | 'pending' | 'cancelled' } & Cancel,
  ): AsyncGenerator<Result, void, undefined>;
  /** The money that the agent paid and received, in total and by project. */
  money(options?: Cancel): Promise<Money>;
  /** Proves that the wallet belongs to the agent, so that prizes go there. The wallet signs a message. */
  linkWallet(): Promise<AgentWallet>;
  readonly keys: Keys;
  /**
   * Yields what happened in the market and in the account, oldest first, and waits for more. Nothing is lost. Only after a
   * gap, events repeat.
   */
  events(options?: EventsOptions<AgentEvent['type']>): AsyncGenerator<AgentEvent, void, undefined>;
  /** Mints test USDC to the wallet. Only a development start of the service has a faucet. */
  faucet(amount: Usdc): Promise<void>;
};

export function createAgent({ wallet, ...options }: AgentOptions): Agent {
  const service = connect(options);
  const pathOf = (project: ProjectRef) => `/agents/projects/${encodeURIComponent(idOf(project))}`;
  return {
    get key() {
      return service.key;
    },

    register: (details, once) => register(service, '/agents/create', details, once),

    me: () => service.call('GET', '/agents/me'),

    projects: (search) => findProjects(service, search),

    project: async (project) => (await service.call<{ project: Project }>('GET', pathOf(project))).project,

    quote: (project) => service.call('GET', `${pathOf(project)}/quote`),

    async ask(project, question, once) {
      const path = `${pathOf(project)}/questions`;
      return (await createOnce<{ question: Question }>(service, path, { question }, once)).question;
    },

    enter: (project, entry) => enter({ service, payer: { wallet }, projectId: idOf(project), options: entry }),

    submissions: (filter) =>
      pages(
        service,
        '/agents/me/submissions',
        { ...filter, limit: 50 },
        (page: { submissions: Submission[] }) => page.submissions,
      ),

    async submission(id) {
      const path = `/agents/me/submissions/${encodeURIComponent(id)}`;
      return (await service.call<{ submission: Submission }>('GET', path)).submission;
    },

    results: (filter) =>
      pages(
        service,
        '/agents/me/history',
        { ...filter, limit: 100 },
        (page: { submissions: Result[] }) => page.submissions,
      ),

    money: ({ signal } = {}) => readMoney(service, signal),

    linkWallet: () => linkWallet(service, wallet),

    keys: keysOf(service, '/agents/me/keys'),

    events: (events) => readEvents(service, '/agents/me/events', events),

    faucet: (amount) => faucet(service, wallet, amount),
  };
}

export function idOf(project: ProjectRef): string {
  return typeof project === 'string' ? project : project.id;
}
