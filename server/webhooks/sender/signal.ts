/** Wakes who waits, also when it rang just before. */
export function createBell() {
  let rang = false;
  let wake: () => void = () => {};
  return {
    ring() {
      rang = true;
      wake();
    },
    async rung() {
      if (!rang) await new Promise<void>((resolve) => (wake = resolve));
      rang = false;
    },
  };
}
