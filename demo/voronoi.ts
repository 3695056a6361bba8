import type { Rgb } from './color.ts';

/** One cell. `x` and `y` are its seed, and `grain` is the direction of its texture. */
export type Pane = { x: number; y: number; color: Rgb; grain: number };

const REACH = 2;

/**
 * Returns the pane of a pixel and the exact distance to its border. The distance is to the bisector of two seeds, so
 * that lines between panes are equally wide.
 *
 * @param cell side of the lookup grid: no pane can be wider than twice this
 * @param flat how many times wider than high the panes are
 */
export function createMosaic(given: Pane[], size: { width: number; height: number }, cell: number, flat = 1) {
  const width = size.width;
  const height = size.height * flat;
  const panes = given.map((pane) => ({ ...pane, y: pane.y * flat }));
  const columns = Math.ceil(width / cell) + 2 * REACH + 1;
  const rows = Math.ceil(height / cell) + 2 * REACH + 1;
  const grid: Pane[][] = Array.from({ length: columns * rows }, () => []);
  const column = (x: number) => Math.floor(x / cell) + REACH;
  for (const pane of panes) {
    if (column(pane.x) < 0 || column(pane.x) >= columns || column(pane.y) < 0 || column(pane.y) >= rows) continue;
    grid[column(pane.y) * columns + column(pane.x)]?.push(pane);
  }
  const neighbours = grid.map((_, index) => {
    const near: Pane[] = [];
    for (let dy = -REACH; dy <= REACH; dy++) {
      for (let dx = -REACH; dx <= REACH; dx++) near.push(...(grid[index + dy * columns + dx] ?? []));
    }
    return near;
  });
  return (x: number, unscaledY: number): { pane: Pane; edge: number } | null => {
    const y = unscaledY * flat;
    const near = neighbours[column(y) * columns + column(x)] ?? [];
    let first: Pane | null = null;
    let least = Infinity;
    for (const pane of near) {
      const squared = (pane.x - x) ** 2 + (pane.y - y) ** 2;
      if (squared >= least) continue;
      least = squared;
      first = pane;
    }
    if (!first) return null;
    let edge = Infinity;
    for (const pane of near) {
      if (pane === first) continue;
      const squared = (pane.x - x) ** 2 + (pane.y - y) ** 2;
      const dx = pane.x - first.x;
      const dy = (pane.y - first.y) * flat;
      const apart = Math.sqrt(dx * dx + dy * dy);
      edge = Math.min(edge, (squared - least) / (2 * apart));
    }
    return { pane: first, edge };
  };
}
