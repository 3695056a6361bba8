import { createOnce, faucet, type Once, register } from '../account.ts';
import { idOf, type ProjectRef } from '../agent.ts';
import { type EventsOptions, readEvents } from '../events/events.ts';
import { keysOf, type PosterKeys } from '../keys.ts';
import { microOf, type Usdc } from '../money.ts';
import { pages } from '../pages.ts';
import { callPaid } from '../payment.ts';
import { connect, type Service, type ServiceOptions } from '../service.ts';
import type { WalletOption } from '../wallet.ts';
import type { ListedQuestion, OwnProject, PosterEvent, PosterRegistration, ProjectStatus, Question } from '../wire.ts';
import { bodyOf, type Brief, copiedBrief, type Copy } from './brief.ts';
import { type Judging, judging } from './judging.ts';
import { type References, referencesOf } from './references.ts';

export type PosterOptions = ServiceOptions & {
  /** Pays prizes. The wallet that funded a project cannot enter it. */
  wallet?: WalletOption | undefined;
};

export type Poster = Judging & {
  /** The API key. Store it. */
  readonly key: string | undefined;
  /** Registers the poster and uses its key from now on. See `Agent.register` for `idempotencyKey`. */
  register(details: { poster_name: string; email?: string }, options?: Once): Promise<PosterRegistration>;
  /** Saves a brief that nobody else sees. With the same `idempotencyKey`, it is saved once. */
  draft(brief: Brief, options?: Once): Promise<OwnProject>;
  /**
   * Saves a copy of a project in any state as a draft: its texts, settings, and reference pictures. Repeat it with the same
   * `idempotencyKey` only while the original is unchanged.
   */
  duplicate(project: ProjectRef, copy: Copy, options?: Once): Promise<OwnProject>;
  /** Changes a draft, or moves the deadline of an open project later. */
  update(project: ProjectRef, changes: Partial<Omit<Brief, 'pictures_of'>>): Promise<OwnProject>;
  /** Deletes a draft. */
  delete(project: ProjectRef): Promise<void>;
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
  /** Yields what happened to the projects, oldest first, and waits for more. Nothing is lost. Only after a gap, events repeat. */
  events(options?: EventsOptions<PosterEvent['type']>): AsyncGenerator<PosterEvent, void, undefined>;
  /** The reference pictures of briefs. */
  readonly references: References;
  readonly keys: PosterKeys;
  /** Mints test USDC to the wallet. Only a development start of the service has a faucet. */
  faucet(amount: Usdc): Promise<void>;
};

type OneProject = { project: OwnProject };

export function createPoster({ wallet, ...options }: PosterOptions): Poster {
  const service = connect(options);
  const pathOf = (project: ProjectRef) => `/posters/me/projects/${encodeURIComponent(idOf(project))}`;
  const read = async (project: ProjectRef) => (await service.call<OneProject>('GET', pathOf(project))).project;
  const end = async (project: ProjectRef, how: string, isEnded: (found: OwnProject) => boolean, body: object = {}) => {
    const { data, error } = await service.exchange<OneProject>('POST', `${pathOf(project)}/${how}`, { body });
    if (!error) return data.project;
    // The answer to an earlier try may have been lost.
    const found = await read(project);
    if (isEnded(found)) return found;
    throw error;
  };

  return {
    get key() {
      return service.key;
    },

    register: (details, once) => register(service, '/posters/create', details, once),

    ...drafting(service, pathOf, read),

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

    projects({ status, signal } = {}) {
      const filter = { status, limit: 50, signal };
      return pages(service, '/posters/me/projects', filter, (page: { projects: OwnProject[] }) => page.projects);
    },

    close: (project) => end(project, 'close', ({ closes_at: at }) => at !== null),

    cancel: (project, reason) => end(project, 'cancel', ({ status }) => status === 'cancelled', { reason }),

    ...answering(service, pathOf),
    ...judging(service, pathOf, read),

    references: referencesOf(service, pathOf),

    events: (events) => readEvents(service, '/posters/me/events', events),

    keys: keysOf(service, '/posters/me/keys'),

    faucet: (amount) => faucet(service, wallet, amount),
  };
}

type Drafting = Pick<Poster, 'draft' | 'duplicate' | 'update' | 'delete'>;

function drafting(
  service: Service,
  pathOf: (project: ProjectRef) => string,
  read: (project: ProjectRef) => Promise<OwnProject>,
): Drafting {
  const draft: Drafting['draft'] = async (brief, once) =>
    (await createOnce<OneProject>(service, '/posters/me/projects', bodyOf(brief), once)).project;
  return {
    draft,

    duplicate: async (project, copy, once) => await draft(copiedBrief(await read(project), copy), once),

    update: async (project, changes) =>
      (await service.call<OneProject>('PATCH', pathOf(project), { body: bodyOf(changes) })).project,

    async delete(project) {
      const { error } = await service.exchange('DELETE', pathOf(project));
      // The answer to an earlier try was lost.
      if (error && error.code !== 'PROJECT_NOT_FOUND') throw error;
    },
  };
}

function answering(service: Service, pathOf: (project: ProjectRef) => string): Pick<Poster, 'questions' | 'answer'> {
  return {
    questions: (project, filter) =>
      pages(
        service,
        `${pathOf(project)}/questions`,
        { ...filter, limit: 50 },
        (page: { questions: ListedQuestion[] }) => page.questions,
      ),

    async answer(project, questionId, answer) {
      const path = `${pathOf(project)}/questions/${encodeURIComponent(questionId)}/answer`;
      return (await service.call<{ question: Question }>('POST', path, { body: { answer } })).question;
    },
  };
}
