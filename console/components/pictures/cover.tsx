import { memo, type ReactNode } from 'react';

// Draws a cover for a project without pictures: tiles of simple shapes in the brief's colors. The project's id
// determines the pattern, so every visitor sees the same cover. It carries no information, so screen readers skip it.

const [COLUMNS, ROWS] = [4, 3];

const PALETTES = [
  ['#20302f', '#d9532f', '#f2c879', '#f7efe2'],
  ['#1f2a44', '#e58f65', '#c9d6df', '#f4f1ea'],
  ['#2d4739', '#9cc5a1', '#f1b24a', '#fbf5e6'],
  ['#4a2545', '#c16a8d', '#f0c7b4', '#faf1ec'],
  ['#16324f', '#2a7f9e', '#f4d06f', '#f7f4ea'],
  ['#3b2c22', '#b3541e', '#e2b714', '#f6ecd9'],
];

export const Cover = memo(({ id, colors }: { id: string; colors: string[] }) => {
  const next = digits(id);
  const palette = paletteOf(colors, next);
  const [ground = '#888'] = palette;
  const tiles: ReactNode[] = [];
  for (let index = 0; index < COLUMNS * ROWS; index++) {
    const [x, y] = [(index % COLUMNS) * 100, Math.floor(index / COLUMNS) * 100];
    const [back, front] = [palette[next(palette.length)], palette[next(palette.length)]];
    tiles.push(
      <g key={index} transform={`translate(${x} ${y}) rotate(${next(4) * 90} 50 50)`}>
        <rect width="100" height="100" fill={back} shapeRendering="crispEdges" />
        <path d={SHAPES[next(SHAPES.length)]} fill={front === back ? ground : front} />
      </g>,
    );
  }
  return (
    <svg viewBox={`0 0 ${COLUMNS * 100} ${ROWS * 100}`} preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {tiles}
    </svg>
  );
});

const SHAPES = [
  'M0 0h100a100 100 0 0 1-100 100z',
  'M0 0h100v50a50 50 0 0 1-100 0z',
  'M50 10a40 40 0 1 1 0 80a40 40 0 1 1 0-80z',
  'M0 0l100 100h-100z',
  'M0 0h50a50 50 0 0 1 0 100h-50z',
  'M0 0h100v33h-100zM0 66h100v34h-100z',
  '',
];

/** The brief's colors that CSS knows, at most four, and a light color. */
function paletteOf(colors: string[], next: (below: number) => number): string[] {
  const known = colors.map((color) => color.trim().toLowerCase()).filter((color) => CSS.supports('color', color));
  const first = PALETTES[next(PALETTES.length)] ?? [];
  if (known.length === 0) return first;
  return [...known.slice(0, 4), ...first.slice(known.length >= 3 ? 3 : 2)];
}

/** A pseudorandom generator that is seeded by a text (FNV-1a, then xorshift). */
function digits(text: string): (below: number) => number {
  let state = 2_166_136_261;
  for (const char of text) state = Math.imul(state ^ char.charCodeAt(0), 16_777_619);
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
