/** `failed`: the service refused the text, so only this browser has it. */
export type DraftState = 'none' | 'waiting' | 'saving' | 'saved' | 'offline' | 'failed';

export type KeeperParts = {
  /** The browser's copies, which outlive the page. */
  copies: { load(): [id: string, text: string][]; store(id: string, text: string): void; remove(id: string): void };
  /** Saves a draft on the service. Resolves to false if the service refuses this text for good. */
  save: (id: string, text: string) => Promise<boolean>;
  pauseMs?: number;
  retryMs?: number;
};

/** `typed` grows with each change, so that an answer about an older text is not taken for the newer one. */
type Kept = { text: string; typed: number; state: DraftState };

const PAUSE_MS = 800;
const RETRY_MS = 3_000;

/**
 * Keeps feedback that the poster types. Every change is stored in the browser at once and saved on the service after a
 * pause. The browser's copy goes only when the service has the same text, so a closed tab or a stopped service loses
 * nothing.
 */
export class FeedbackKeeper {
  readonly #parts: KeeperParts;
  readonly #kept = new Map<string, Kept>();
  readonly #states = new Map<string, DraftState>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #listeners = new Set<() => void>();
  #typed = 0;
  #stopped = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    for (const [id, text] of parts.copies.load()) this.#keep(id, text, 'waiting');
  }

  /** Begins to save. Copies of an earlier visit are saved first. */
  start(): void {
    this.#stopped = false;
    for (const id of this.#kept.keys()) this.#schedule(id, 0);
  }

  /** Stops the timers, and saves what waits for a pause. The browser keeps its copies until the service has them. */
  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    for (const [id, { state }] of this.#kept) if (state === 'waiting') this.#begin(id);
  }

  /** Returns text that the service does not have, or null. */
  textOf(id: string): string | null {
    return this.#kept.get(id)?.text ?? null;
  }

  stateOf(id: string): DraftState {
    return this.#states.get(id) ?? 'none';
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  type(id: string, text: string): void {
    this.#parts.copies.store(id, text);
    this.#keep(id, text, 'waiting');
    this.#schedule(id, this.#parts.pauseMs ?? PAUSE_MS);
  }

  /** Saves at once, because the poster leaves the field. */
  flush(id: string): void {
    if (this.#kept.get(id)?.state === 'waiting') this.#schedule(id, 0);
  }

  /** Saves every draft at once. Resolves when the service has answered. */
  async settle(): Promise<void> {
    for (const id of this.#kept.keys()) this.#begin(id);
    await Promise.all(this.#running.values());
  }

  /**
   * Sends the text as feedback. A draft that is being saved arrives first, so it cannot come back after the feedback. If
   * sending fails, the text stays a draft.
   */
  async send(id: string, work: () => Promise<void>): Promise<void> {
    const before = this.#kept.get(id);
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    await this.#running.get(id);
    try {
      await work();
    } catch (error) {
      if (this.#kept.has(id)) this.#schedule(id, this.#parts.retryMs ?? RETRY_MS);
      throw error;
    }
    const now = this.#kept.get(id);
    if (now === undefined || now.typed === before?.typed) this.#forget(id, 'none');
    else this.#schedule(id, this.#parts.pauseMs ?? PAUSE_MS);
  }

  #keep(id: string, text: string, state: DraftState): void {
    this.#typed += 1;
    this.#kept.set(id, { text, typed: this.#typed, state });
    this.#tell(id, state);
  }

  #forget(id: string, state: DraftState): void {
    this.#kept.delete(id);
    this.#parts.copies.remove(id);
    this.#tell(id, state);
  }

  #tell(id: string, state: DraftState): void {
    const kept = this.#kept.get(id);
    if (kept) kept.state = state;
    this.#states.set(id, state);
    for (const listener of this.#listeners) listener();
  }

  #schedule(id: string, ms: number): void {
    clearTimeout(this.#timers.get(id));
    if (this.#stopped) return;
    this.#timers.set(
      id,
      setTimeout(() => this.#begin(id), ms),
    );
  }

  #begin(id: string): void {
    this.#timers.delete(id);
    const before = this.#running.get(id) ?? Promise.resolve();
    const run = before.then(() => this.#push(id));
    this.#running.set(id, run);
    void run.finally(() => {
      if (this.#running.get(id) === run) this.#running.delete(id);
    });
  }

  async #push(id: string): Promise<void> {
    const kept = this.#kept.get(id);
    if (!kept) return;
    const { text, typed } = kept;
    this.#tell(id, 'saving');
    let end: DraftState;
    try {
      end = (await this.#parts.save(id, text)) ? 'saved' : 'failed';
    } catch {
      end = 'offline';
    }
    // The poster typed on meanwhile, and the next save is scheduled.
    if (this.#kept.get(id)?.typed !== typed) return;
    if (end === 'saved') this.#forget(id, 'saved');
    else this.#tell(id, end);
    if (end === 'offline') this.#schedule(id, this.#parts.retryMs ?? RETRY_MS);
  }
}
