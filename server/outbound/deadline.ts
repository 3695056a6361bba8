/**
 * What the parts of an attempt see of its end. An AbortSignal is one as well; of these there is one for every delivery, and
 * one of its listeners alone costs more than all of this.
 */
export type Deadline = {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
};

export class AttemptDeadline implements Deadline {
  aborted = false;
  #listeners: (() => void)[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.#timer = setTimeout(() => this.abort(), ms);
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.lastIndexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }

  abort(): void {
    this.aborted = true;
    for (const listener of this.#listeners.slice()) listener();
  }

  /** The attempt is over in time. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
