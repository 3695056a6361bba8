import { clamp, css, mix, type Rgb, rgb, tint } from '../color.ts';
import type { Size, Style } from '../picture.ts';
import type { Random } from '../random.ts';

type Block = { column: number; row: number; floors: number; color: Rgb; kind: 'house' | 'tower' | 'park' | 'canal' };
type Plan = { unit: number; originX: number; originY: number; side: number };

const FLOOR = 0.3;

/** A town on an isometric grid at first light. The sun on the left sets the tone of every face. */
export const city: Style = {
  finish: { grain: 0.018, vignette: 0.25 },
  draw(random, size) {
    const side = 14;
    const unit = size.width / (side * 1.64);
    const plan: Plan = { unit, side, originX: size.width / 2, originY: size.height * 0.585 - unit * side * 0.45 };
    const blocks = blocksOf(random, side).toSorted((a, b) => a.column + a.row - (b.column + b.row));
    return { svg: sky(size) + slab(plan) + blocks.map((block) => draw(block, plan, random)).join('') };
  },
};

function sky({ width, height }: Size): string {
  return `<defs><linearGradient id="k" x2="0" y2="1"><stop offset="0" stop-color="#3b3f86"/><stop offset=".35" stop-color="#c16f9a"/><stop offset=".6" stop-color="#f7b28d"/><stop offset="1" stop-color="#fbe3bd"/></linearGradient></defs><radialGradient id="h"><stop offset="0" stop-color="#fff4d6" stop-opacity=".9"/><stop offset=".3" stop-color="#ffd9a0" stop-opacity=".45"/><stop offset="1" stop-color="#ffb98a" stop-opacity="0"/></radialGradient>
<rect width="${width}" height="${height}" fill="url(#k)"/><circle cx="${width * 0.27}" cy="${height * 0.27}" r="${height * 0.42}" fill="url(#h)"/><circle cx="${width * 0.27}" cy="${height * 0.27}" r="${height * 0.085}" fill="#fffaf0"/>`;
}

/** Draws the ground of the town: streets above, earth at the cut. */
function slab(plan: Plan): string {
  const { side } = plan;
  const at = spotOf(plan, 0, 0);
  const [low, high] = [-0.25, side + 0.25];
  const layers = [
    { from: 0, to: -0.22, left: '#e9b48c', right: '#8d6a8c' },
    { from: -0.22, to: -0.8, left: '#b9745f', right: '#5f4676' },
  ];
  const cut = layers.map(
    ({ from, to, left, right }) =>
      face([at(low, high, from), at(high, high, from), at(high, high, to), at(low, high, to)], rgb(left)) +
      face([at(high, low, from), at(high, high, from), at(high, high, to), at(high, low, to)], rgb(right)),
  );
  return face([at(low, low, 0), at(high, low, 0), at(high, high, 0), at(low, high, 0)], rgb('#cdb3a6')) + cut.join('');
}

function blocksOf(random: Random, side: number): Block[] {
  const walls = ['#f2d6b8', '#e9a68b', '#d9776b', '#f4ead7', '#9fb7c9', '#c9a7c2', '#f0c36e'] as const;
  const canal = random.int(5, 8);
  const blocks: Block[] = [];
  for (let column = 0; column < side; column++) {
    for (let row = 0; row < side; row++) {
      const fromMiddle = Math.hypot(column - side * 0.45, row - side * 0.42) / side;
      const high = Math.exp(-fromMiddle * fromMiddle * 11);
      const isStreet = column % 4 === 3 || row % 5 === 4;
      const color = tint(rgb(random.pick(walls)), random.gaussian() * 0.02);
      const bend = Math.round(Math.sin(row * 0.45) * 1.2);
      if (column === canal + bend || column === canal + bend + 1)
        blocks.push({ column, row, floors: 0, color, kind: 'canal' });
      else if (isStreet) continue;
      else if (random.next() < 0.13) blocks.push({ column, row, floors: 0, color, kind: 'park' });
      else {
        const floors = Math.max(1, Math.round(1 + high * random.between(3, 15) + random.between(0, 1.6)));
        blocks.push({ column, row, floors, color, kind: floors > 5 ? 'tower' : 'house' });
      }
    }
  }
  return blocks;
}

type Spot = (across: number, along: number, up: number) => string;

function spotOf({ unit, originX, originY }: Plan, column: number, row: number): Spot {
  return (across, along, up) => {
    const x = originX + (column + across - (row + along)) * unit * 0.78;
    const y = originY + (column + across + row + along) * unit * 0.45 - up * unit;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
}

function face(points: string[], fill: Rgb, alpha = 1): string {
  return `<polygon points="${points.join(' ')}" fill="${css(fill, alpha)}"/>`;
}

function draw(block: Block, plan: Plan, random: Random): string {
  const at = spotOf(plan, block.column, block.row);
  if (block.kind === 'canal') return water(at, random);
  const ground = flat(at, 0, 1, 0, block.kind === 'park' ? rgb('#7fa06a') : rgb('#d8bfa6'));
  if (block.kind === 'park') return ground + trees(at, random);
  return ground + building(block, at, random);
}

function flat(at: Spot, from: number, to: number, up: number, fill: Rgb): string {
  return face([at(from, from, up), at(to, from, up), at(to, to, up), at(from, to, up)], fill);
}

function water(at: Spot, random: Random): string {
  const base = tint(rgb('#5f95b5'), random.gaussian() * 0.015);
  const glints = Array.from({ length: 3 }, () => {
    const [a, b, long] = [random.between(0.05, 0.7), random.between(0.1, 0.9), random.between(0.1, 0.28)];
    return face(
      [at(a, b, 0), at(a + long, b, 0), at(a + long, b + 0.035, 0), at(a, b + 0.035, 0)],
      rgb('#ffe2b8'),
      0.6,
    );
  });
  return face([at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0)], base) + glints.join('');
}

function trees(at: Spot, random: Random): string {
  return [0.25, 0.55, 0.8]
    .map((place) => {
      const along = random.between(0.2, 0.8);
      const [x = '0', y = '0'] = at(place, along, 0.3).split(',');
      const [footX = '0', footY = '0'] = at(place, along, 0).split(',');
      const leaf = tint(rgb('#4f7d55'), random.gaussian() * 0.04);
      const r = random.between(7, 11);
      return `<path d="M${footX} ${footY}L${x} ${y}" stroke="#5a4038" stroke-width="2.4"/><circle cx="${x}" cy="${y}" r="${r.toFixed(1)}" fill="${css(leaf)}"/><circle cx="${(Number(x) - r * 0.28).toFixed(1)}" cy="${(Number(y) - r * 0.28).toFixed(1)}" r="${(r * 0.6).toFixed(1)}" fill="${css(mix(leaf, rgb('#f5d58a'), 0.45))}"/>`;
    })
    .join('');
}

function building({ floors, color, kind }: Block, at: Spot, random: Random): string {
  const [from, to] = kind === 'tower' ? [0.14, 0.86] : [0.08, 0.92];
  const top = floors * FLOOR;
  const sunny = mix(tint(color, 0.03), rgb('#ffcf91'), 0.28);
  const shaded = mix(tint(color, -0.24, 0.9), rgb('#4a3f7d'), 0.45);
  const faces = [
    face([at(from, to, 0), at(to, to, 0), at(to, to, top), at(from, to, top)], sunny),
    face([at(to, from, 0), at(to, to, 0), at(to, to, top), at(to, from, top)], shaded),
    windows(floors, random, (along, up) => at(from + along * (to - from), to, up), rgb('#8a5f5f'), 0.12),
    windows(floors, random, (along, up) => at(to, to - along * (to - from), up), rgb('#2f2a57'), 0.4),
  ];
  return (
    faces.join('') +
    (kind === 'house' && floors < 4 && random.next() < 0.62
      ? gable(at, from, to, top, random)
      : roof(at, from, to, top, color, random))
  );
}

function windows(
  floors: number,
  random: Random,
  at: (along: number, up: number) => string,
  dark: Rgb,
  litShare: number,
): string {
  const columns = 3;
  let panes = '';
  for (let floor = 0; floor < floors; floor++) {
    for (let column = 0; column < columns; column++) {
      const a = (column + 0.26) / columns;
      const b = (column + 0.74) / columns;
      const low = floor * FLOOR + FLOOR * 0.3;
      const high = floor * FLOOR + FLOOR * 0.76;
      const lit = random.next() < litShare;
      panes += face(
        [at(a, low), at(b, low), at(b, high), at(a, high)],
        lit ? rgb('#ffd977') : tint(dark, random.gaussian() * 0.03),
        lit ? 1 : 0.8,
      );
    }
  }
  return panes;
}

function roof(at: Spot, from: number, to: number, top: number, color: Rgb, random: Random): string {
  const parts = [
    flat(at, from, to, top, mix(tint(color, 0.05), rgb('#fff0d6'), 0.55)),
    flat(at, from + 0.06, to - 0.06, top, mix(tint(color, -0.04), rgb('#f0d3b5'), 0.5)),
  ];
  if (random.next() < 0.6) {
    const [a, b] = [random.between(0.28, 0.4), random.between(0.55, 0.66)];
    const up = top + random.between(0.1, 0.22);
    parts.push(face([at(a, b, top), at(b, b, top), at(b, b, up), at(a, b, up)], mix(color, rgb('#ffd9a8'), 0.4)));
    parts.push(
      face([at(b, a, top), at(b, b, top), at(b, b, up), at(b, a, up)], mix(tint(color, -0.2), rgb('#4a3f7d'), 0.5)),
    );
    parts.push(flat(at, a, b, up, rgb('#fff0d8')));
  }
  return parts.join('');
}

function gable(at: Spot, from: number, to: number, top: number, random: Random): string {
  const ridge = top + 0.34;
  const middle = (from + to) / 2;
  const slate = tint(rgb(random.pick(['#b5503f', '#a8433f', '#7c5a78', '#c9733f'] as const)), random.gaussian() * 0.03);
  return [
    face([at(from, from, top), at(to, from, top), at(to, middle, ridge), at(from, middle, ridge)], tint(slate, -0.08)),
    face([at(to, from, top), at(to, to, top), at(to, middle, ridge)], mix(tint(slate, -0.2), rgb('#4a3f7d'), 0.4)),
    face(
      [at(from, to, top), at(to, to, top), at(to, middle, ridge), at(from, middle, ridge)],
      mix(slate, rgb('#ffc38a'), clamp(0.3)),
    ),
  ].join('');
}
