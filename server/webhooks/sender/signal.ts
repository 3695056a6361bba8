/** Wakes the one loop that waits for it. A signal that was raised before the wait ends the wait at once. */
export class Signal {
  #raised = false;
  #wake: () => void = () => {};

  raise(): void {
    this.#raised = true;
    this.#wake();
  }

  async next(): Promise<void> {
    if (!this.#raised) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#raised = false;
  }
}
