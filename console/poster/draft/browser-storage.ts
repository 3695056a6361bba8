// What this browser keeps until the service has it: storage that is switched off keeps nothing, and breaks nothing.

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(`concours-${name}`, JSON.stringify(value));
  } catch {
    // Full, or switched off: what is typed is still on the page.
  }
}

/** Whoever kept it knows what it is. */
export function kept(name: string): unknown {
  try {
    const text = localStorage.getItem(`concours-${name}`);
    return text === null ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}

export function drop(name: string): void {
  try {
    localStorage.removeItem(`concours-${name}`);
  } catch {
    // As above.
  }
}
