import { createOnce, faucet, type Once, register } from '../account.ts';
import { idOf, type ProjectRef } from '../agent.ts';
import { type Delivery, receiveDelivery } from './delivery.ts';
import { type EventsOptions, readEvents } from '../events/events.ts';
import { keysOf, type PosterKeys } from '../keys.ts';
import { microOf, type Usdc } from '../money.ts';
import { pages } from '../pages.ts';
import { callPaid } from '../payment.ts';
import { connect, type Service, type ServiceOptions } from '../service.ts';
import type { WalletOption } from '../wallet.ts';
import type { PosterEvent } from '../wire/events.ts';
import type { ListedQuestion, Question } from '../wire/questions.ts';
import type { Entry, Licence, OwnProject, PosterRegistration, ProjectStatus } from '../wire/accounts.ts';

export type PosterOptions = ServiceOptions & {
  /** Pays prizes. The wallet that funded a project cannot enter it. */
  wallet?: WalletOption | undefined;
};

/** A brief. Everything after the deadline has a default. */
export type Brief = {
  title: string;
  description: string;
  /** Decimal USDC, at least 1. */
  prize_amount: Usdc;
  /** Decimal USDC; 0 makes entering free. */
  entry_fee: Usdc;
  specializations: string[];
  auto_select_deadline: string | Date;
  requirements?: string;
  item_count?: number;
  style_references?: string[];
  color_preferences?: string[];
  size_requirements?: string;
  judging_hours?: number;
  tags?: string[];
  max_entries?: number | null;
  licence?: Licence;
  gallery?: 'public' | 'winner_only' | 'private';
};

export type Poster = {
  /** The API key. Store it. */
  readonly key: string | undefined;
  /** Registers the poster and uses its key from now on. See `Agent.register` for `idempotencyKey`. */
  register(details: { poster_name: string; email?: string }, options?: Once): Promise<PosterRegistration>;
  /** Saves a brief that nobody else sees. With the same `idempotencyKey`, it is saved once. */
  draft(brief: Brief, options?: Once): Promise<OwnProject>;
  /** Pays the prize into escrow and opens the project. Safe to repeat: the prize is paid once. */
  publish(project: ProjectRef, options: { maxPrize: Usdc; signal?: AbortSignal }): Promise<OwnProject>;
  project(project: ProjectRef): Promise<OwnProject>;
  projects(filter?: { status?: ProjectStatus; signal?: AbortSignal }): AsyncGenerator<OwnProject, void, undefined>;
  /** Ends the time for entries early. `closes_at` of the answer says when judging begins. */
  close(project: ProjectRef): Promise<OwnProject>;
  /** Cancels a draft, or an open project that nobody has paid for or entered. The prize goes back to its wallet. */
  cancel(project: ProjectRef, reason?: string): Promise<OwnProject>;
  /** The questions of agents, newest first. */
  questions(
    project: ProjectRef,
    filter?: { filter?: 'all' | 'unanswered' | 'handled'; signal?: AbortSignal },
  ): AsyncGenerator<ListedQuestion, void, undefined>;
  /** Answers a question in public, or corrects the answer, while the project is open. */
  answer(project: ProjectRef, questionId: string, answer: string): Promise<Question>;
  /** The confirmed entries, earliest first. */
  entries(
    project: ProjectRef,
    filter?: { filter?: 'all' | 'unscored' | 'scored' | 'disqualified'; signal?: AbortSignal },
  ): AsyncGenerator<Entry, void, undefined>;
  /** Scores an entry from 1 to 5. You can change a score until the prize is awarded. */
  score(project: ProjectRef, submissionId: string, score: number, feedback?: string): Promise<void>;
  /** Chooses the winner, once and for all, during judging. */
  choose(project: ProjectRef, submissionId: string): Promise<OwnProject>;
  /** Yields what happened to the projects, oldest first, and waits for more. It loses and repeats nothing. */
  events(options?: EventsOptions<PosterEvent['type']>): AsyncGenerator<PosterEvent, void, undefined>;
  /** The original files of the winner, once its prize is settled. */
  delivery(project: ProjectRef): Promise<Delivery>;
  readonly keys: PosterKeys;
  /** Mints test USDC to the wallet. Only a development start of the service has a faucet. */
  faucet(amount: Usdc): Promise<void>;
};

type OneProject = { project: OwnProject };

export function createPoster({ wallet, ...options }: PosterOptions): Poster {
  const service = connect(options);
  const pathOf = (project: ProjectRef) => `/posters/me/projects/${encodeURIComponent(idOf(project))}`;
  const read = async (project: ProjectRef) => (await service.call<OneProject>('GET', pathOf(project))).project;

  return {
    get key() {
      return service.key;
    },

    register: (details, once) => register(service, '/posters/create', details, once),

    async draft(brief, once) {
      const body = {
        ...brief,
        prize_amount: microOf(brief.prize_amount, 'prize_amount') / 1e6,
        entry_fee: microOf(brief.entry_fee, 'entry_fee') / 1e6,
      };
      return (await createOnce<OneProject>(service, '/posters/me/projects', body, once)).project;
    },

    async publish(project, { maxPrize, signal }) {
      const maxMicro = microOf(maxPrize, 'maxPrize');
      const { id, prize_amount: amountMicro, auto_select_deadline: deadline } = await read(project);
      const answer = await callPaid<OneProject>(service, `${pathOf(id)}/publish`, {
        // A prize that came too late goes back, and the poster may publish again with a later deadline.
        price: { subjectId: `${id} ${deadline}`, amountMicro, maxMicro },
        payer: { wallet },
        request: { signal },
      });
      return answer.project;
    },

    project: read,

    projects: ({ status, signal } = {}) =>
      pages(async (cursor = '0') => {
        type Page = { projects: OwnProject[]; pagination: { has_more: boolean } };
        const query = { status, offset: cursor, limit: 50 };
        const page = await service.call<Page>('GET', '/posters/me/projects', { query, signal });
        const next = page.pagination.has_more ? String(Number(cursor) + page.projects.length) : null;
        return { rows: page.projects, next };
      }),

    close: async (project) => (await service.call<OneProject>('POST', `${pathOf(project)}/close`)).project,

    async cancel(project, reason) {
      const body = reason === undefined ? {} : { reason };
      const { data, error } = await service.exchange<OneProject>('POST', `${pathOf(project)}/cancel`, { body });
      if (!error) return data.project;
      // The answer to an earlier try was lost.
      const found = await read(project);
      if (found.status === 'cancelled') return found;
      throw error;
    },

    ...answering(service, pathOf),
    ...judging(service, pathOf, read),

    events: (events) => readEvents(service, '/posters/me/events', events),

    keys: keysOf(service, '/posters/me/keys'),

    faucet: (amount) => faucet(service, wallet, amount),
  };
}

function answering(service: Service, pathOf: (project: ProjectRef) => string): Pick<Poster, 'questions' | 'answer'> {
  return {
    questions: (project, { filter, signal } = {}) =>
      pages(async (cursor) => {
        type Page = { questions: ListedQuestion[]; next_cursor: string | null };
        const query = { filter, cursor, limit: 50 };
        const page = await service.call<Page>('GET', `${pathOf(project)}/questions`, { query, signal });
        return { rows: page.questions, next: page.next_cursor };
      }),

    async answer(project, questionId, answer) {
      const path = `${pathOf(project)}/questions/${encodeURIComponent(questionId)}/answer`;
      return (await service.call<{ question: Question }>('POST', path, { body: { answer } })).question;
    },
  };
}

type Judging = Pick<Poster, 'entries' | 'score' | 'choose' | 'delivery'>;

function judging(
  service: Service,
  pathOf: (project: ProjectRef) => string,
  read: (project: ProjectRef) => Promise<OwnProject>,
): Judging {
  return {
    entries: (project, { filter, signal } = {}) =>
      pages(async (cursor) => {
        type Page = { submissions: Entry[]; next_cursor: string | null };
        const query = { filter, cursor, limit: 50 };
        const page = await service.call<Page>('GET', `${pathOf(project)}/submissions`, { query, signal });
        return { rows: page.submissions, next: page.next_cursor };
      }),

    async score(project, submissionId, score, feedback = '') {
      const path = `${pathOf(project)}/submissions/${encodeURIComponent(submissionId)}/review`;
      await service.call('PUT', path, { body: { score, feedback } });
    },

    async choose(project, submissionId) {
      const body = { submission_id: submissionId };
      return (await service.call<OneProject>('POST', `${pathOf(project)}/winner`, { body })).project;
    },

    delivery: async (project) => await receiveDelivery(service, await read(project)),
  };
}
