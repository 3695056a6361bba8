import { createHash } from 'node:crypto';
import { isOfBatch, SETTLE_FAULTS, type SettleFault } from './facilitator-model.ts';

/** Derives a number from its parts, so that the result does not depend on the order of concurrent work. */
export function drawn(...parts: (string | number)[]): number {
  return createHash('sha256').update(parts.join('|')).digest().readUInt32BE();
}

const BATCH_FAULTS = SETTLE_FAULTS.filter(isOfBatch);

/** Decides what goes wrong in a command. */
export function createLuck() {
  /** 0 means that nothing fails. */
  let luck = 0;
  let fault: SettleFault = 'honest';
  let struck = new Set<string>();
  const settlements = new Map<string, number>();

  return {
    /** Begins a command. `settle` is the fault of its settlements, which strikes each payment once. */
    begin(commandLuck: number, settle: SettleFault): void {
      luck = commandLuck;
      fault = settle;
      struck = new Set();
    },
    end(): void {
      this.begin(0, 'honest');
    },
    faultOf(nonce: string): SettleFault {
      const times = (settlements.get(nonce) ?? 0) + 1;
      settlements.set(nonce, times);
      if (fault !== 'honest' && !struck.has(nonce)) {
        struck.add(nonce);
        return fault;
      }
      const draw = drawn(luck, nonce, times);
      if (luck === 0 || draw % 100 >= 40) return 'honest';
      // A batch grows only if several payments come to it, so every other fault is one of a batch.
      const faults = draw % 2 === 0 ? BATCH_FAULTS : SETTLE_FAULTS;
      return faults[Math.floor(draw / 100) % faults.length] ?? 'honest';
    },
  };
}
