/** Returns ids in the order of their creation, as UUID version 7 does. */
export function uuidOf(count: number, atMs: number): string {
  const time = atMs.toString(16).padStart(12, '0');
  const tail = count.toString(16).padStart(18, '0');
  return [time.slice(0, 8), time.slice(8), `7${tail.slice(0, 3)}`, `8${tail.slice(3, 6)}`, tail.slice(6)].join('-');
}
