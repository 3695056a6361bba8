import { itemNames, loadItem, removeItem, storeItem } from '../account/browser-storage.ts';

/** `failed`: the service refused the text, so only this browser has it. */
export type DraftState = 'none' | 'waiting' | 'saving' | 'saved' | 'offline' | 'failed';

/** Saves a draft on the service. Resolves to false if the service will never accept this text. */
type Save = (id: string, text: string) => Promise<boolean>;

/** `text` is null once the service has it. `running` ends with the last request about the entry. */
type Kept = {
  text: string | null;
  state: DraftState;
  timer?: ReturnType<typeof setTimeout>;
  running: Promise<void>;
};

const PAUSE_MS = 800;
const RETRY_MS = 3_000;

/**
 * Keeps feedback that the poster types. Every change is stored in the browser at once and saved on the service after a
 * pause. The browser's copy goes only when the service has the same text, so a closed tab or a stopped service loses
 * nothing.
 */
export class FeedbackKeeper {
  readonly #start: string;
  readonly #save: Save;
  readonly #kept = new Map<string, Kept>();
  readonly #listeners = new Set<() => void>();
  #stopped = false;

  /** @param start begins the names of the browser's copies, which outlive the page */
  constructor(start: string, save: Save) {
    this.#start = start;
    this.#save = save;
    for (const name of itemNames(start))
      this.#change(name.slice(start.length), { text: String(loadItem(name)), state: 'waiting' });
  }

  /** Begins to save. Copies of an earlier visit are saved first. */
  start(): void {
    this.#stopped = false;
    for (const id of this.#kept.keys()) this.#schedule(id, 0);
  }

  /** Stops the timers, and saves what waits for a pause. The browser keeps its copies until the service has them. */
  stop(): void {
    this.#stopped = true;
    for (const [id, { timer, state }] of this.#kept) {
      clearTimeout(timer);
      if (state === 'waiting') void this.#queue(id);
    }
  }

  /** Returns text that the service does not have, or null. */
  textOf(id: string): string | null {
    return this.#kept.get(id)?.text ?? null;
  }

  stateOf(id: string): DraftState {
    return this.#kept.get(id)?.state ?? 'none';
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  type(id: string, text: string): void {
    storeItem(this.#start + id, text);
    this.#change(id, { text, state: 'waiting' });
    this.#schedule(id, PAUSE_MS);
  }

  /** Saves at once, because the poster leaves the field. */
  flush(id: string): void {
    if (this.stateOf(id) === 'waiting') this.#schedule(id, 0);
  }

  /** Saves every draft at once. Resolves when the service has answered. */
  async settle(): Promise<void> {
    await Promise.all([...this.#kept.keys()].map((id) => this.#queue(id)));
  }

  /**
   * Sends the text as feedback. A draft that is being saved arrives first, so it cannot come back after the feedback. If
   * sending fails, the text stays a draft.
   */
  async send(id: string, work: () => Promise<void>): Promise<void> {
    const text = this.textOf(id);
    clearTimeout(this.#kept.get(id)?.timer);
    await this.#kept.get(id)?.running;
    try {
      await work();
    } catch (error) {
      this.#schedule(id, RETRY_MS);
      throw error;
    }
    if (this.textOf(id) === text) this.#forget(id, 'none');
    else this.#schedule(id, PAUSE_MS);
  }

  #change(id: string, changed: Partial<Kept>): void {
    this.#kept.set(id, {
      text: null,
      state: 'none',
      running: Promise.resolve(),
      ...this.#kept.get(id),
      ...changed,
    });
    for (const listener of this.#listeners) listener();
  }

  #forget(id: string, state: DraftState): void {
    removeItem(this.#start + id);
    this.#change(id, { text: null, state });
  }

  #schedule(id: string, ms: number): void {
    const kept = this.#kept.get(id);
    clearTimeout(kept?.timer);
    if (kept && !this.#stopped) kept.timer = setTimeout(() => void this.#queue(id), ms);
  }

  /** Requests about an entry are sent one after the other. */
  #queue(id: string): Promise<void> {
    const running = (this.#kept.get(id)?.running ?? Promise.resolve()).then(() => this.#push(id));
    const kept = this.#kept.get(id);
    if (kept) kept.running = running;
    return running;
  }

  async #push(id: string): Promise<void> {
    const text = this.textOf(id);
    if (text === null) return;
    this.#change(id, { state: 'saving' });
    let end: DraftState;
    try {
      end = (await this.#save(id, text)) ? 'saved' : 'failed';
    } catch {
      end = 'offline';
    }
    // The poster typed on meanwhile, and the next save is scheduled.
    if (this.textOf(id) !== text) return;
    if (end === 'saved') this.#forget(id, end);
    else this.#change(id, { state: end });
    if (end === 'offline') this.#schedule(id, RETRY_MS);
  }
}
