import { clamp, css, gradient, mix, rgb } from '../color.ts';
import { createNoise, type Noise } from '../noise.ts';
import type { Size, Style } from '../picture.ts';
import type { Random } from '../random.ts';

type Limb = { x: number; y: number; angle: number; thickness: number; depth: number };
type Tree = { wood: string[]; tips: [x: number, y: number, depth: number][] };

/** A plum tree in flower before the sun, grown by one recursive rule. Hills fade into mist behind it. */
export const blossom: Style = {
  finish: { grain: 0.03, vignette: 0.35 },
  draw(random, size) {
    const { width, height } = size;
    const noise = createNoise(random);
    const sun = { x: width * 0.4, y: height * 0.36, radius: width * 0.235 };
    const tree: Tree = { wood: [], tips: [] };
    grow(
      { x: width * 0.74, y: height * 1.02, angle: -Math.PI / 2 - 0.2, thickness: width * 0.062, depth: 0 },
      tree,
      random,
      size,
    );
    const flowers = flowersOf(tree.tips, random, width);
    const fallen = Array.from({ length: 90 }, () =>
      petal(random.between(0, width), random.between(height * 0.45, height), random.between(4, 8), random, 0.75),
    );
    return {
      svg: `<defs><linearGradient id="k" x2="0" y2="1"><stop offset="0" stop-color="#93b3c4"/><stop offset=".3" stop-color="#d9d3c6"/><stop offset=".55" stop-color="#f6dcc0"/><stop offset="1" stop-color="#f3c7a9"/></linearGradient>
<radialGradient id="h"><stop offset=".5" stop-color="#ffe9cf" stop-opacity=".85"/><stop offset="1" stop-color="#ffe3c4" stop-opacity="0"/></radialGradient>
<linearGradient id="u" x2="0" y2="1"><stop offset="0" stop-color="#d8402f"/><stop offset=".7" stop-color="#ec7048"/><stop offset="1" stop-color="#f8b07e"/></linearGradient></defs>
<rect width="100%" height="100%" fill="url(#k)"/><circle cx="${sun.x}" cy="${sun.y}" r="${sun.radius * 1.75}" fill="url(#h)"/><circle cx="${sun.x}" cy="${sun.y}" r="${sun.radius}" fill="url(#u)"/>
${hills(noise, size)}${birds(random, sun)}${tree.wood.join('')}${flowers}${fallen.join('')}`,
    };
  },
};

function hills(noise: Noise, { width, height }: Size): string {
  const count = 6;
  return Array.from({ length: count }, (_, layer) => {
    const t = layer / (count - 1);
    const base = height * (0.5 + t * 0.4);
    let path = `M0 ${height}`;
    for (let x = 0; x <= width + 8; x += 8) {
      const rise = noise.fractal((x / width) * (1.5 + t * 1.4) + layer * 7.7, layer * 3.3, 4);
      path += `L${x} ${(base - rise * height * (0.17 - t * 0.08)).toFixed(1)}`;
    }
    const near = mix(rgb('#c9bdb4'), rgb('#2f4858'), t ** 1.2);
    const id = `m${layer}`;
    return `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="0" y1="${base - height * 0.09}" x2="0" y2="${base + height * 0.11}"><stop offset="0" stop-color="${css(near)}"/><stop offset="1" stop-color="${css(mix(near, rgb('#f6dfc8'), 0.72 - t * 0.5))}"/></linearGradient><path d="${path}L${width} ${height}Z" fill="url(#${id})" fill-opacity="${(0.72 + t * 0.28).toFixed(2)}"/>`;
  }).join('');
}

function birds(random: Random, sun: { x: number; y: number; radius: number }): string {
  return Array.from({ length: 7 }, (_, bird) => {
    const x = sun.x - sun.radius * 1.15 + bird * sun.radius * 0.17 + random.gaussian() * 9;
    const y = sun.y - sun.radius * 0.35 - Math.abs(bird - 2.2) * -15 + random.gaussian() * 6;
    const span = random.between(9, 15);
    return `<path d="M${x - span} ${y - span * 0.35}Q${x - span * 0.45} ${y - span * 0.5} ${x} ${y}Q${x + span * 0.45} ${y - span * 0.5} ${x + span} ${y - span * 0.3}" fill="none" stroke="#33303a" stroke-width="2.2" stroke-linecap="round"/>`;
  }).join('');
}

/** Grows a limb: a few bent segments, then two or three thinner limbs. */
function grow(limb: Limb, tree: Tree, random: Random, size: Size): void {
  const { thickness, depth } = limb;
  if (thickness < 1.3 || depth > 10) {
    tree.tips.push([limb.x, limb.y, depth]);
    return;
  }
  let { x, y, angle } = limb;
  const segments = depth === 0 ? 5 : 3;
  const length = (size.width * (depth === 0 ? 0.44 : 0.2) * 0.84 ** depth * random.between(0.75, 1.2)) / segments;
  const bark = css(mix(rgb('#241a1c'), rgb('#5b3a36'), clamp(depth / 9)));
  let width = thickness;
  for (let segment = 0; segment < segments; segment++) {
    angle += random.gaussian() * (0.16 + depth * 0.015);
    const nextWidth = width * 0.93;
    const nextX = x + Math.cos(angle) * length;
    const nextY = y + Math.sin(angle) * length;
    tree.wood.push(taper(x, y, nextX, nextY, width, nextWidth, bark));
    if (depth > 3 && random.next() < 0.5) tree.tips.push([nextX, nextY, depth]);
    x = nextX;
    y = nextY;
    width = nextWidth;
  }
  const branches = random.next() < 0.26 ? 3 : 2;
  for (let branch = 0; branch < branches; branch++) {
    const side = branch === 0 ? -1 : branch === 1 ? 1 : random.between(-0.3, 0.3);
    // Old wood bends under its own weight, so limbs lean towards the horizontal.
    const spread = side * random.between(0.26, 0.62);
    grow(
      {
        x,
        y,
        angle: angle + spread + (side < 0 ? -0.05 : 0.02),
        thickness: width * random.between(0.6, 0.8),
        depth: depth + 1,
      },
      tree,
      random,
      size,
    );
  }
}

function taper(x: number, y: number, toX: number, toY: number, width: number, toWidth: number, color: string): string {
  const angle = Math.atan2(toY - y, toX - x) + Math.PI / 2;
  const [c, s] = [Math.cos(angle) / 2, Math.sin(angle) / 2];
  const points = [
    [x + c * width, y + s * width],
    [toX + c * toWidth, toY + s * toWidth],
    [toX - c * toWidth, toY - s * toWidth],
    [x - c * width, y - s * width],
  ];
  const outline = points.map(([px = 0, py = 0]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ');
  return `<polygon points="${outline}" fill="${color}"/><circle cx="${toX.toFixed(1)}" cy="${toY.toFixed(1)}" r="${(toWidth / 2).toFixed(1)}" fill="${color}"/>`;
}

const pinks = gradient([
  [0, '#c94f72'],
  [0.35, '#ee8fa5'],
  [0.7, '#fbc9cf'],
  [1, '#fff4f1'],
]);

/** Draws shadowed flowers first and bright ones over them, which gives depth without a light source. */
function flowersOf(tips: Tree['tips'], random: Random, width: number): string {
  const layers = [
    { each: 2, radius: width * 0.0085, spread: 16, light: 0.12 },
    { each: 2, radius: width * 0.0075, spread: 13, light: 0.5 },
    { each: 1, radius: width * 0.0065, spread: 10, light: 0.86 },
  ];
  return layers
    .flatMap(({ each, radius, spread, light }) =>
      tips.flatMap(([x, y]) =>
        Array.from({ length: each }, () =>
          flower(
            x + random.gaussian() * spread,
            y + random.gaussian() * spread - light * 5,
            radius * random.between(0.7, 1.25),
            light,
            random,
          ),
        ),
      ),
    )
    .join('');
}

function flower(x: number, y: number, radius: number, light: number, random: Random): string {
  const fill = css(pinks(clamp(light + random.gaussian() * 0.1)));
  const start = random.next() * Math.PI;
  let petals = '';
  for (let i = 0; i < 5; i++) {
    const turn = start + (i / 5) * 2 * Math.PI;
    petals += `<circle cx="${(x + Math.cos(turn) * radius * 0.62).toFixed(1)}" cy="${(y + Math.sin(turn) * radius * 0.62).toFixed(1)}" r="${(radius * 0.52).toFixed(1)}"/>`;
  }
  const heart =
    light > 0.4
      ? `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${(radius * 0.22).toFixed(1)}" fill="#b8324f"/>`
      : '';
  return `<g fill="${fill}">${petals}</g>${heart}`;
}

function petal(x: number, y: number, size: number, random: Random, alpha: number): string {
  const turn = Math.round(random.next() * 360);
  const fill = css(pinks(random.between(0.5, 1)), alpha);
  return `<ellipse cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" rx="${size.toFixed(1)}" ry="${(size * 0.5).toFixed(1)}" transform="rotate(${turn} ${x.toFixed(1)} ${y.toFixed(1)})" fill="${fill}"/>`;
}
