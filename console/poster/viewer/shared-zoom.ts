import { type PointerEvent, useEffect, useRef, useState } from 'react';

/** One zoom of all compared pictures: the scale, and the offset in percent of a picture's frame. */
type Zoom = { scale: number; x: number; y: number };

const FITTED: Zoom = { scale: 1, x: 0, y: 0 };
const MOST = 8;

/** Keeps the scale in its bounds, and the pictures inside their frames. */
function bounded({ scale: wanted, x, y }: Zoom): Zoom {
  const scale = Math.min(MOST, Math.max(1, wanted));
  const most = ((scale - 1) / 2) * 100;
  const inside = (offset: number) => Math.min(most, Math.max(-most, offset));
  return { scale, x: inside(x), y: inside(y) };
}

/** Zooms so that the point under the pointer stays where it is. The point is in percent from the middle of the frame. */
function zoomedAt({ scale, x, y }: Zoom, factor: number, point = { x: 0, y: 0 }): Zoom {
  const next = Math.min(MOST, Math.max(1, scale * factor));
  const ratio = next / scale;
  return bounded({ scale: next, x: point.x - (point.x - x) * ratio, y: point.y - (point.y - y) * ratio });
}

const WHEEL = 1.0015;

/**
 * Applies one zoom to every picture in a frame, by wheel, drag, and two fingers. The values go into CSS variables of the
 * frame, so a movement renders nothing.
 */
export function useSharedZoom() {
  const frame = useRef<HTMLDivElement>(null);
  const zoom = useRef<Zoom>(FITTED);
  const [percent, setPercent] = useState(100);
  const set = (next: Zoom) => {
    zoom.current = bounded(next);
    const { scale, x, y } = zoom.current;
    const { style } = frame.current ?? {};
    style?.setProperty('--scale', String(scale));
    style?.setProperty('--x', `${x}%`);
    style?.setProperty('--y', `${y}%`);
    setPercent(Math.round(scale * 100));
  };
  const by = (factor: number, point?: { x: number; y: number }) => set(zoomedAt(zoom.current, factor, point));
  const move = (x: number, y: number) => set({ ...zoom.current, x: zoom.current.x + x, y: zoom.current.y + y });
  useWheel(frame, by);
  return { frame, percent, by, move, fit: () => set(FITTED), pointers: usePointers({ by, move }) };
}

/** React listens to wheels passively, and only an active listener can keep the page from scrolling. */
function useWheel(frame: { current: HTMLElement | null }, by: (factor: number, point: Point) => void): void {
  const latest = useRef(by);
  useEffect(() => {
    latest.current = by;
  });
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      const pane = paneOf(event.target);
      if (!pane) return;
      event.preventDefault();
      latest.current(WHEEL ** -event.deltaY, pointIn(pane, event.clientX, event.clientY));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [frame]);
}

type Point = { x: number; y: number };
type Moves = { by: (factor: number, point: Point) => void; move: (x: number, y: number) => void };

/** One pointer drags. Two pointers zoom around the point between them. */
function usePointers({ by, move }: Moves) {
  const down = useRef(new Map<number, Point>());
  const end = ({ pointerId }: PointerEvent) => void down.current.delete(pointerId);
  return {
    onPointerDown: (event: PointerEvent) => {
      const pane = paneOf(event.target);
      if (!pane) return;
      pane.setPointerCapture(event.pointerId);
      down.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    },
    onPointerMove: (event: PointerEvent) => {
      const pane = paneOf(event.target);
      const before = down.current.get(event.pointerId);
      if (!pane || !before) return;
      const now = { x: event.clientX, y: event.clientY };
      const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1];
      down.current.set(event.pointerId, now);
      if (other) {
        const factor = distance(now, other) / Math.max(1, distance(before, other));
        by(factor, pointIn(pane, (now.x + other.x) / 2, (now.y + other.y) / 2));
      } else {
        const { width, height } = pane.getBoundingClientRect();
        move(((now.x - before.x) / width) * 100, ((now.y - before.y) / height) * 100);
      }
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

function paneOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-pane]') : null;
}

/** A place of the window, in percent from the middle of the pane. */
function pointIn(pane: HTMLElement, clientX: number, clientY: number): Point {
  const { left, top, width, height } = pane.getBoundingClientRect();
  return { x: ((clientX - left) / width - 0.5) * 100, y: ((clientY - top) / height - 0.5) * 100 };
}
