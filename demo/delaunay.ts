export type Point = readonly [x: number, y: number];

type Triangle = { corners: readonly [Point, Point, Point]; x: number; y: number; squaredRadius: number };

/**
 * Returns the Delaunay triangles by Bowyer–Watson insertion. It sweeps from left to right, so finished triangles drop
 * out.
 */
export function triangulate(points: readonly Point[]): (readonly [Point, Point, Point])[] {
  const far = 1e5;
  const outer: [Point, Point, Point] = [
    [-far, -far],
    [far, -far],
    [0, far],
  ];
  const done: Triangle[] = [];
  let open: Triangle[] = [around(outer)];
  for (const point of points.toSorted((a, b) => a[0] - b[0])) {
    const edges = new Map<string, readonly [Point, Point]>();
    const kept: Triangle[] = [];
    for (const triangle of open) {
      const dx = point[0] - triangle.x;
      const dy = point[1] - triangle.y;
      if (dx > 0 && dx * dx > triangle.squaredRadius) done.push(triangle);
      else if (dx * dx + dy * dy >= triangle.squaredRadius) kept.push(triangle);
      else for (const edge of edgesOf(triangle)) toggle(edges, edge);
    }
    for (const [a, b] of edges.values()) kept.push(around([a, b, point]));
    open = kept;
  }
  return [...done, ...open]
    .map(({ corners }) => corners)
    .filter((corners) => corners.every((corner) => !outer.includes(corner)));
}

function edgesOf({ corners: [a, b, c] }: Triangle): (readonly [Point, Point])[] {
  return [
    [a, b],
    [b, c],
    [c, a],
  ];
}

/** Removes an edge that two removed triangles share, because it lies inside the hole. */
function toggle(edges: Map<string, readonly [Point, Point]>, edge: readonly [Point, Point]): void {
  const [first, second] =
    edge[0][0] < edge[1][0] || (edge[0][0] === edge[1][0] && edge[0][1] < edge[1][1]) ? edge : [edge[1], edge[0]];
  const key = `${first[0]},${first[1]},${second[0]},${second[1]}`;
  if (!edges.delete(key)) edges.set(key, edge);
}

function around(corners: readonly [Point, Point, Point]): Triangle {
  const [[ax, ay], [bx, by], [cx, cy]] = corners;
  const twice = 2 * (ax * (by - cy) + bx * (cy - ay) + cx * (ay - by)) || 1e-9;
  const a = ax * ax + ay * ay;
  const b = bx * bx + by * by;
  const c = cx * cx + cy * cy;
  const x = (a * (by - cy) + b * (cy - ay) + c * (ay - by)) / twice;
  const y = (a * (cx - bx) + b * (ax - cx) + c * (bx - ax)) / twice;
  return { corners, x, y, squaredRadius: (ax - x) ** 2 + (ay - y) ** 2 };
}
