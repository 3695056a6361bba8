import { randomInt, randomUUID } from 'node:crypto';
import { type Answer, newPayer, type Payer, signPayment } from '../support/clients/client.ts';
import { brief, drawing, putPicture } from '../support/clients/journey.ts';
import { type Client, NotNow, type Question } from './exchanges.ts';

export const FEE_USDC = 0.25;
export const PRIZE_USDC = 1;
/** The number of agents that enter a project. When all are confirmed, its poster chooses the winner. */
const ENTRIES = 4;
/** Posters publish while fewer places than this are free. */
const PLACES_WANTED = 24;
const PICTURES = 12;
/** The steps of a kind that run side by side at the end. */
const AT_ONCE = 4;
/** The daily quota of new agents. */
const DAILY_ENTRIES = 5;

/** A lost payment is quoted again (402), and a request that goes on or comes too early conflicts (409). */
const REPEATED = new Set([402, 409]);

export type Player = { key: string; wallet: Payer };
/** An agent, and how many more projects it may enter today. */
type Agent = Player & { entriesLeft: number };
/** Each step repeats until it is acknowledged. The same idempotency key goes with each try. */
type Entry = { tries: string; project: Project; agent: Agent; id?: string; uploadUrl?: string };
type Project = { tries: string; poster: Player; id?: string; entries: Entry[]; confirmed: number; closed?: boolean };

/** The ids of what the service acknowledged. */
export type Acknowledged = {
  registered: string[];
  entered: string[];
  paid: string[];
  confirmed: string[];
  published: string[];
  awarded: { project: string; winner: string }[];
};

/** The work of agents and posters. A step that fails goes back into its queue and is repeated later. */
export class Market {
  readonly client: Client;
  readonly acknowledged: Acknowledged = {
    registered: [],
    entered: [],
    paid: [],
    confirmed: [],
    published: [],
    awarded: [],
  };
  /** Refusals that are no failure of the service and that nobody expected, each with a line. */
  readonly refused: string[] = [];
  readonly #posters: Player[];
  readonly #fund: (address: string, micro: number) => Promise<unknown>;
  readonly #agents: Agent[] = [];
  readonly #drafts: Project[] = [];
  readonly #open: string[] = [];
  readonly #free: Entry[] = [];
  readonly #unpaid: Entry[] = [];
  readonly #unconfirmed: Entry[] = [];
  readonly #full: Project[] = [];
  readonly #registrations: string[] = [];
  #pictures: Buffer<ArrayBuffer>[] = [];
  #posterTurn = 0;

  constructor(client: Client, posters: Player[], fund: (address: string, micro: number) => Promise<unknown>) {
    this.client = client;
    this.#posters = posters;
    this.#fund = fund;
  }

  async prepare(): Promise<void> {
    this.#pictures = await Promise.all(Array.from({ length: PICTURES }, (_, seed) => drawing(seed + 1)));
    while (this.#free.length < PLACES_WANTED) await this.#addPlaces();
  }

  /** Sends one request of the load, or the few that belong to one step. Never rejects. */
  async step(turn: number): Promise<void> {
    await this.#jobOf(turn)().catch((error: unknown) => {
      if (!(error instanceof NotNow)) this.refused.push(`${(error as Error).stack}`);
      else if (error.status >= 400 && error.status < 500 && !REPEATED.has(error.status))
        this.refused.push(error.message);
    });
  }

  /** Finishes what was begun: every entry is paid and confirmed, every full project has a winner. */
  async finish(isLate: () => boolean): Promise<void> {
    const rounds: [queue: unknown[], job: () => Promise<void>][] = [
      [this.#drafts, this.#publishDrafted],
      [this.#unpaid, this.#pay],
      [this.#unconfirmed, this.#confirm],
      [this.#full, this.#award],
      [this.#registrations, this.#register],
    ];
    const left = () => rounds.reduce((sum, [queue]) => sum + queue.length, 0);
    while (left() > 0 && !isLate()) {
      const begun = rounds.flatMap(([queue, job]) => Array<typeof job>(Math.min(queue.length, AT_ONCE)).fill(job));
      await Promise.all(
        begun.map(async (job) => {
          await job.call(this).catch((error: unknown) => {
            if (!(error instanceof NotNow)) throw error;
          });
        }),
      );
    }
    const unfinished = rounds
      .filter(([queue]) => queue.length > 0)
      .map(([queue, job]) => `${job.name} ${queue.length}`);
    if (unfinished.length > 0) this.refused.push(`steps that could not be finished: ${unfinished.join(', ')}`);
  }

  /** Of 25 steps, 19 read; the others register, enter, pay, upload, and award. */
  #jobOf(turn: number): () => Promise<void> {
    const number = turn % 25;
    const { key } = this.#agents[turn % this.#agents.length]!;
    if (number < 10) return () => this.#read({ kind: 'search', path: '/agents/projects?limit=10', key });
    const project = this.#open[turn % this.#open.length];
    if (number < 15) return () => this.#read({ kind: 'details', path: `/agents/projects/${project}`, key });
    if (number < 18) return () => this.#read({ kind: 'market', path: '/projects' });
    if (number < 19) return () => this.#read({ kind: 'profile', path: '/agents/me', key });
    // Each outage leaves entries behind, which come first.
    const behind = () => (this.#unconfirmed.length > this.#unpaid.length ? this.#confirm() : this.#pay());
    const jobs = [
      this.#unconfirmed.length + this.#unpaid.length > PLACES_WANTED ? behind : this.#enter,
      this.#pay,
      this.#confirm,
      this.#enter,
      behind,
      turn % 50 < 25 ? this.#award : this.#register,
    ];
    return () => (jobs[number - 19] ?? this.#enter).call(this);
  }

  async #read(question: Question): Promise<void> {
    await this.client.ask(question);
  }

  async #register(): Promise<void> {
    const tries = this.#registrations.shift() ?? randomUUID();
    await this.#orAgain(this.#registrations, tries, async () => {
      const body = {
        agent_name: 'Newcomer',
        description: 'Registers while parts of the service are killed.',
        specializations: ['logo-design'],
      };
      const headers = { 'idempotency-key': tries };
      const { body: answer } = await this.client.ask(
        { kind: 'register', path: '/agents/create', body, headers },
        [201],
      );
      this.acknowledged.registered.push(answer.data.agentId);
      const wallet = newPayer();
      await this.#fund(wallet.address, DAILY_ENTRIES * FEE_USDC * 1e6);
      this.#agents.push({ key: answer.data.apiKey, wallet, entriesLeft: DAILY_ENTRIES });
    });
  }

  async #enter(): Promise<void> {
    if (this.#free.length < PLACES_WANTED) {
      await this.#addPlaces();
      return;
    }
    // Any place, so that the agents of one moment enter different projects.
    const [entry] = this.#free.splice(randomInt(this.#free.length), 1);
    if (!entry) return;
    await this.#orAgain(this.#free, entry, async () => {
      const reply = await this.client.ask(
        {
          kind: 'intent',
          path: `/agents/projects/${entry.project.id}/intent`,
          key: entry.agent.key,
          body: { title: 'An entry during the chaos' },
          headers: { 'idempotency-key': entry.tries },
        },
        [201],
      );
      entry.id = reply.body.data.submission.id as string;
      this.acknowledged.entered.push(entry.id);
    });
    this.#unpaid.push(entry);
  }

  async #pay(): Promise<void> {
    const entry = this.#unpaid.shift();
    if (!entry) return;
    await this.#orAgain(this.#unpaid, entry, async () => {
      const body = { fileName: 'entry.png', fileType: 'image/png', fileSize: this.#pictureOf(entry).length };
      const path = `/agents/projects/${entry.project.id}/submissions/${entry.id}`;
      const reply = await this.#askPaid({ kind: 'pay', path, key: entry.agent.key, body }, entry.agent.wallet);
      entry.uploadUrl = reply.body.data.uploadUrl as string;
      this.acknowledged.paid.push(entry.id ?? '');
    });
    this.#unconfirmed.push(entry);
  }

  async #confirm(): Promise<void> {
    const entry = this.#unconfirmed.shift();
    if (!entry) return;
    await this.#orAgain(this.#unconfirmed, entry, async () => {
      const stored = await putPicture(entry.uploadUrl ?? '', this.#pictureOf(entry)).catch(() => 0);
      if (stored !== 200) throw new NotNow(`upload: ${stored}`);
      const path = `/agents/projects/${entry.project.id}/submissions/${entry.id}/confirm`;
      const reply = await this.client.ask({ kind: 'confirm', method: 'POST', path, key: entry.agent.key }, [200, 404]);
      // The same request was answered before, and the answer was lost.
      if (reply.status === 404 && !/already confirmed/.test(reply.body.error?.message ?? ''))
        throw new NotNow(`confirm: 404 ${JSON.stringify(reply.body)}`, 404);
      this.acknowledged.confirmed.push(entry.id ?? '');
    });
    entry.project.confirmed += 1;
    if (entry.project.confirmed === entry.project.entries.length) this.#full.push(entry.project);
  }

  /** Opens a project, if enough agents may enter it. Otherwise registers one more agent. */
  async #addPlaces(): Promise<void> {
    if (this.#mayEnter().length < ENTRIES) await this.#register();
    else await this.#publish();
  }

  #mayEnter(): Agent[] {
    return this.#agents.filter(({ entriesLeft }) => entriesLeft > 0);
  }

  async #publish(): Promise<void> {
    const poster = this.#posters[(this.#posterTurn += 1) % this.#posters.length]!;
    if (this.#drafts.length === 0) this.#drafts.push({ tries: randomUUID(), poster, entries: [], confirmed: 0 });
    await this.#publishDrafted();
  }

  async #publishDrafted(): Promise<void> {
    const project = this.#drafts.shift();
    if (!project) return;
    const { poster, tries } = project;
    await this.#orAgain(this.#drafts, project, async () => {
      const body = brief({ prizeUsdc: PRIZE_USDC, entryFeeUsdc: FEE_USDC, deadline: DEADLINE });
      const headers = { 'idempotency-key': tries };
      const question = { kind: 'draft', path: '/posters/me/projects', key: poster.key, body, headers };
      const draft = await this.client.ask(question, [201]);
      const id = draft.body.data.project.id as string;
      project.id = id;
      const path = `/posters/me/projects/${id}/publish`;
      await this.#askPaid({ kind: 'publish', method: 'POST', path, key: poster.key }, poster.wallet);
      this.acknowledged.published.push(id);
    });
    this.#open.push(project.id ?? '');
    for (const agent of this.#mayEnter().slice(0, ENTRIES)) {
      agent.entriesLeft -= 1;
      project.entries.push({ tries: randomUUID(), project, agent });
    }
    this.#free.push(...project.entries);
  }

  async #award(): Promise<void> {
    const project = this.#full.shift();
    if (!project) return;
    const own = `/posters/me/projects/${project.id}`;
    const winner = project.entries[0]?.id ?? '';
    const { key } = project.poster;
    await this.#orAgain(this.#full, project, async () => {
      const close = { kind: 'close', method: 'POST', path: `${own}/close`, key };
      // 409: the same request was answered before, and the answer was lost.
      if (!project.closed) project.closed = (await this.client.ask(close, [200, 409])).status === 200;
      // 409 until the entries have ended. After a lost answer, the same choice gets the same answer.
      await this.client.ask({ kind: 'award', path: `${own}/winner`, key, body: { submission_id: winner } });
    });
    this.acknowledged.awarded.push({ project: project.id ?? '', winner });
  }

  /** Sends a request that costs money: without a payment first, then with the signature that its 402 asks for. */
  async #askPaid(question: Question, wallet: Payer): Promise<Answer> {
    const quote = await this.client.ask({ ...question, kind: `${question.kind} quote` }, [200, 402]);
    // An earlier try, whose answer was lost, has paid.
    if (quote.status === 200) return quote;
    const headers = await signPayment(wallet, quote);
    return await this.client.ask({ ...question, headers });
  }

  /** Puts the step back into its queue if it was not acknowledged. */
  async #orAgain<T>(queue: T[], step: T, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      queue.push(step);
      throw error;
    }
  }

  #pictureOf({ project, agent }: Entry): Buffer<ArrayBuffer> {
    const seed = this.#agents.indexOf(agent) + (project.id?.charCodeAt(35) ?? 0);
    return this.#pictures[seed % PICTURES]!;
  }
}

/** The same for each try of a draft. */
const DEADLINE = new Date(Date.now() + 20 * 86_400_000);
