/** One zoom of all compared pictures: the scale, and the offset in percent of a picture's frame. */
export type Zoom = { scale: number; x: number; y: number };

export const FITTED: Zoom = { scale: 1, x: 0, y: 0 };
const MOST = 8;

/** Keeps the scale in its bounds, and the pictures inside their frames. */
export function bounded({ scale: wanted, x, y }: Zoom): Zoom {
  const scale = Math.min(MOST, Math.max(1, wanted));
  const most = ((scale - 1) / 2) * 100;
  const inside = (offset: number) => Math.min(most, Math.max(-most, offset));
  return { scale, x: inside(x), y: inside(y) };
}

/** Zooms so that the point under the pointer stays where it is. The point is in percent from the middle of the frame. */
export function zoomedAt({ scale, x, y }: Zoom, factor: number, point = { x: 0, y: 0 }): Zoom {
  const next = Math.min(MOST, Math.max(1, scale * factor));
  const ratio = next / scale;
  return bounded({ scale: next, x: point.x - (point.x - x) * ratio, y: point.y - (point.y - y) * ratio });
}
