import { setTimeout as sleep } from 'node:timers/promises';
import { newPayer, type Payer } from '../support/clients/client.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** The accounts and projects that the load uses. The payer has the money for its entries. */
export type Players = { agents: { key: string; payer: Payer }[]; projects: string[] };

export type Outcome = {
  sent: number;
  /** Requests without the answer that they must get, each with a line. */
  failed: string[];
  /** Entries whose intent was answered 201, and those whose paid upload was answered 200. */
  entered: string[];
  paid: string[];
};

/** Sends `rate` requests a second until `stop`, whether or not the earlier ones were answered. */
export class Load {
  readonly outcome: Outcome = { sent: 0, failed: [], entered: [], paid: [] };
  readonly #open = new Set<Promise<void>>();
  readonly #players: Players;
  readonly #address: () => string;
  readonly #unpaid: { id: string; project: string; agent: Players['agents'][number] }[] = [];
  #pair = 0;
  #stopped = false;
  readonly #sending: Promise<void>;

  constructor(players: Players, address: () => string, rate: number) {
    this.#players = players;
    this.#address = address;
    this.#sending = this.#send(rate);
  }

  async stop(): Promise<Outcome> {
    this.#stopped = true;
    await this.#sending;
    await Promise.all(this.#open);
    return this.outcome;
  }

  /** Resolves when so many requests were sent. */
  async sent(count: number): Promise<void> {
    while (this.outcome.sent < count) await sleep(50);
  }

  async #send(rate: number): Promise<void> {
    const began = performance.now();
    while (!this.#stopped) {
      const due = Math.floor(((performance.now() - began) * rate) / 1000);
      for (; this.outcome.sent < due; this.outcome.sent += 1) this.#track(this.#one(this.outcome.sent));
      await sleep(5);
    }
  }

  #track(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => {
        const { message, cause } = error as Error;
        this.outcome.failed.push(`${message} ${cause instanceof Error ? cause.message : ''}`);
      })
      .finally(() => this.#open.delete(done));
    this.#open.add(done);
  }

  /** Of 20 requests, 14 read, 4 enter a project, and 2 pay. */
  async #one(number: number): Promise<void> {
    const { agents, projects } = this.#players;
    const { key } = agents[number % agents.length]!;
    const kind = number % 20;
    if (kind < 7) await this.#expect(200, '/agents/projects?limit=10', { key });
    else if (kind < 11) await this.#expect(200, `/agents/projects/${projects[number % projects.length]}`, { key });
    else if (kind < 13) await this.#expect(200, '/projects', {});
    else if (kind < 14) await this.#expect(200, '/agents/me', { key });
    else if (kind < 18) await this.#enter();
    else await this.#pay();
  }

  async #enter(): Promise<void> {
    const { agents, projects } = this.#players;
    const agent = agents[this.#pair % agents.length]!;
    const project = projects[Math.floor(this.#pair / agents.length)];
    this.#pair += 1;
    if (project === undefined) {
      // Everybody has entered everything.
      await this.#expect(200, '/projects', {});
      return;
    }
    const answer = await this.#expect(201, `/agents/projects/${project}/intent`, {
      key: agent.key,
      body: { title: 'An entry during the upgrade' },
    });
    const { id } = (answer as { data: { submission: { id: string } } }).data.submission;
    this.outcome.entered.push(id);
    this.#unpaid.push({ id, project, agent });
  }

  async #pay(): Promise<void> {
    const entry = this.#unpaid.shift();
    if (!entry) return;
    const { id, project, agent } = entry;
    await this.#expect(200, `/agents/projects/${project}/submissions/${id}`, {
      key: agent.key,
      body: { fileName: 'entry.png', fileType: 'image/png', fileSize: 1000 },
      send: agent.payer.pay,
    });
    this.outcome.paid.push(id);
  }

  async #expect(
    status: number,
    path: string,
    { key, body, send = fetch }: { key?: string; body?: unknown; send?: typeof fetch },
  ): Promise<unknown> {
    const method = body === undefined ? 'GET' : 'POST';
    const response = await send(`${this.#address()}/api/v1${path}`, {
      method,
      headers: {
        'x-forwarded-for': '203.0.113.7',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : JSON_TYPE),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== status) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  }
}

/** Returns agents with a wallet each. `mint` gives each wallet the fees of all its entries. */
export async function playersOf(
  keys: string[],
  projects: string[],
  mint: (address: string, micro: number) => Promise<unknown>,
): Promise<Players> {
  const agents = [];
  for (const key of keys) {
    const payer = newPayer();
    await mint(payer.address, projects.length * 250_000);
    agents.push({ key, payer });
  }
  return { agents, projects };
}
