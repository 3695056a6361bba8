/** The colors that follow from an accent, for light and for dark pages: text and areas, text on them, and soft areas. */
export type AccentColors = { light: Shades; dark: Shades };
type Shades = { accent: string; ink: string; soft: string };

type Rgb = readonly [red: number, green: number, blue: number];

// The darkest background of light pages and the lightest one of dark pages, from console/styles/tokens.css.
const LIGHT_PAGE = '#f3efe7';
const DARK_PAGE = '#282420';
const LIGHT_SURFACE = '#ffffff';
const DARK_SURFACE = '#1d1a17';
const DARK_INK = '#14110f';
/** The least contrast of text by WCAG 2.2, level AA. */
const LEAST_CONTRAST = 4.5;
const STEP = 0.02;

/** Returns a sentence if text in this color could not be read on the light pages. */
export function accentProblem(accent: string): string | null {
  const contrast = contrastOf(accent, LIGHT_PAGE);
  if (contrast >= LEAST_CONTRAST) return null;
  const better = shadeFrom(accent, '#000000', LIGHT_PAGE);
  return `${accent} has a contrast of ${contrast.toFixed(1)} to the light pages (${LIGHT_PAGE}), and text needs ${LEAST_CONTRAST}. Choose a darker color, such as ${better}.`;
}

/** Derives all shades of an accent. Each has the least contrast on its pages. */
export function accentColors(accent: string): AccentColors {
  const dark = shadeFrom(accent, '#ffffff', DARK_PAGE);
  return {
    light: { accent, ink: '#ffffff', soft: softShade(accent, LIGHT_SURFACE) },
    dark: { accent: dark, ink: DARK_INK, soft: softShade(dark, DARK_SURFACE) },
  };
}

/** Mixes a color with another one until it can be read on a background. */
function shadeFrom(color: string, towards: string, background: string): string {
  let shade = color;
  for (let share = 0; share <= 1 && contrastOf(shade, background) < LEAST_CONTRAST; share += STEP)
    shade = mixed(color, towards, share);
  return shade;
}

/** A background in a tint of the color, on which the color itself can be read. */
function softShade(color: string, surface: string): string {
  let soft = surface;
  for (let share = 0.16; share > 0; share -= STEP) {
    soft = mixed(surface, color, share);
    if (contrastOf(color, soft) >= LEAST_CONTRAST) return soft;
  }
  return surface;
}

/** Returns the contrast of two colors by WCAG: 1 to 21. */
function contrastOf(first: string, second: string): number {
  const [lighter = 0, darker = 0] = [luminanceOf(first), luminanceOf(second)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mixed(from: string, to: string, share: number): string {
  const target = rgbOf(to);
  const channels = rgbOf(from).map((value, index) => Math.round(value * (1 - share) + (target[index] ?? 0) * share));
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function rgbOf(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
