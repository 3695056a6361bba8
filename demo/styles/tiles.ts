import type { Style } from '../picture.ts';
import type { Random } from '../random.ts';

const INK = '#1d2430';
const PAPER = '#f2e7d3';
const COLOURS = ['#d8412f', '#eeb02c', '#24589a', '#2f8476', '#e88a6d', INK] as const;

type Tile = (side: number, front: string, extra: string, back: string) => string;

/** Shapes of the Weimar workshops. Each fills a square of the given side. */
const TILES: readonly [Tile, ...Tile[]] = [
  (s, front) => `<path d="M0 0H${s}A${s} ${s} 0 0 1 0 ${s}Z" fill="${front}"/>`,
  (s, front, extra) =>
    `<path d="M0 0H${s}A${s} ${s} 0 0 1 0 ${s}Z" fill="${front}"/><path d="M0 0H${s / 2}A${s / 2} ${s / 2} 0 0 1 0 ${s / 2}Z" fill="${extra}"/>`,
  (s, front, extra) =>
    `<path d="M0 0A${s / 2} ${s / 2} 0 0 0 ${s} 0Z" fill="${front}"/><path d="M0 ${s}A${s / 2} ${s / 2} 0 0 1 ${s} ${s}Z" fill="${extra}"/>`,
  (s, front, extra) =>
    `<circle cx="${s / 2}" cy="${s / 2}" r="${s / 2}" fill="${front}"/><circle cx="${s / 2}" cy="${s / 2}" r="${s * 0.2}" fill="${extra}"/>`,
  (s, front, extra) =>
    `<path d="M0 0L${s} ${s}H0Z" fill="${front}"/><circle cx="${s * 0.72}" cy="${s * 0.28}" r="${s * 0.13}" fill="${extra}"/>`,
  (s, front) =>
    [0, 2, 4]
      .map((bar) => `<rect x="0" y="${(bar * s) / 6 + s / 12}" width="${s}" height="${s / 6}" fill="${front}"/>`)
      .join(''),
  (s, front) =>
    [0.95, 0.7, 0.45, 0.2]
      .map(
        (r) =>
          `<path d="M0 ${s * r}A${s * r} ${s * r} 0 0 0 ${s * r} 0" fill="none" stroke="${front}" stroke-width="${s * 0.1}"/>`,
      )
      .join(''),
  (s, front, extra) =>
    `<path d="M0 0H${s}A${s} ${s} 0 0 1 0 ${s}Z" fill="${front}"/><path d="M${s} ${s}V0A${s} ${s} 0 0 0 0 ${s}Z" fill="${extra}" fill-opacity=".88"/>`,
  (s, front) =>
    [1, 3, 5]
      .flatMap((row) =>
        [1, 3, 5].map(
          (column) => `<circle cx="${(column * s) / 6}" cy="${(row * s) / 6}" r="${s * 0.07}" fill="${front}"/>`,
        ),
      )
      .join(''),
  (s, front, extra) =>
    `<path d="M0 0L${s / 2} ${s / 2}L0 ${s}Z" fill="${front}"/><path d="M${s} 0L${s / 2} ${s / 2}L${s} ${s}Z" fill="${extra}"/>`,
];

/** A poster of quarter circles, bars, and dots in four colors, with one large sun that breaks the grid. */
export const tiles: Style = {
  finish: { grain: 0.05, vignette: 0.12 },
  draw(random, { width, height }) {
    const columns = 6;
    const side = width / (columns + 0.9);
    const rows = Math.floor((height - side * 0.9) / side);
    const left = (width - columns * side) / 2;
    const top = (height - rows * side) / 2;
    const sun = { column: random.int(1, 2), row: 1, span: 3 };
    const parts: string[] = [];
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const inSun =
          column >= sun.column && column < sun.column + sun.span && row >= sun.row && row < sun.row + sun.span;
        if (inSun) continue;
        parts.push(
          `<g transform="translate(${left + column * side} ${top + row * side})">${tileOf(random, side, row / rows)}</g>`,
        );
      }
    }
    const place = `translate(${left + sun.column * side} ${top + sun.row * side})`;
    return {
      svg: `<rect width="100%" height="100%" fill="${PAPER}"/>${parts.join('')}<g transform="${place}">${sunOf(side * sun.span)}</g>`,
    };
  },
};

function tileOf(random: Random, side: number, down: number): string {
  // Warm and open above, blue and dense below: the grid has a sky and a ground.
  const grounds =
    down < 0.5
      ? ([PAPER, PAPER, '#eeb02c', '#e88a6d', '#bfd3cf'] as const)
      : ([PAPER, '#24589a', '#bfd3cf', INK, '#2f8476'] as const);
  const back = random.pick(grounds);
  const inks = COLOURS.filter((color) => color !== back);
  const front = inks[random.int(0, inks.length - 1)] ?? INK;
  const others = [...inks.filter((color) => color !== front), ...(back === PAPER ? [] : [PAPER, PAPER])];
  const extra = others[random.int(0, others.length - 1)] ?? PAPER;
  const turn = random.int(0, 3) * 90;
  const tile = random.pick(TILES);
  return `<rect width="${side + 0.5}" height="${side + 0.5}" fill="${back}"/><g transform="rotate(${turn} ${side / 2} ${side / 2})">${tile(side, front, extra, back)}</g>`;
}

function sunOf(side: number): string {
  const r = side / 2;
  const rays = Array.from({ length: 7 }, (_, ray) => {
    const y = r + (ray + 0.35) * (r / 7);
    return `<rect x="0" y="${y}" width="${side}" height="${(r / 7) * (0.2 + ray * 0.085)}" fill="${PAPER}"/>`;
  });
  return `<rect width="${side + 0.5}" height="${side + 0.5}" fill="${PAPER}"/><clipPath id="d"><circle cx="${r}" cy="${r}" r="${r * 0.94}"/></clipPath>
<g clip-path="url(#d)"><rect width="${side}" height="${side}" fill="#d8412f"/><path d="M0 ${r}A${r} ${r} 0 0 1 ${side} ${r}Z" fill="#eeb02c" fill-opacity=".0"/><circle cx="${r}" cy="${r}" r="${r * 0.6}" fill="#eeb02c"/><circle cx="${r}" cy="${r}" r="${r * 0.27}" fill="${PAPER}"/>${rays.join('')}</g>`;
}
