// Stores unsent data in the browser. If storage is disabled, nothing is stored and nothing fails.

export function storeItem(name: string, value: unknown): void {
  try {
    localStorage.setItem(`concours-${name}`, JSON.stringify(value));
  } catch {
    // Storage is full or disabled: the data is still on the page.
  }
}

/** Returns a stored value, or null. The caller knows its type. */
export function loadItem(name: string): unknown {
  try {
    const text = localStorage.getItem(`concours-${name}`);
    return text === null ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}

export function removeItem(name: string): void {
  try {
    localStorage.removeItem(`concours-${name}`);
  } catch {
    // Storage is disabled.
  }
}

/** Returns the names of stored items that begin with this text. */
export function itemNames(start: string): string[] {
  try {
    const prefix = 'concours-';
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix + start))
      .map((key) => key.slice(prefix.length));
  } catch {
    return [];
  }
}
