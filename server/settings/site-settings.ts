import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { accentColors, accentProblem, type AccentColors } from './accent.ts';
import { text, type Setting } from './setting.ts';

const LOGO_BYTES = 256 * 1024;

/** Text of one line. */
const line = (most: number) =>
  text.max(most, `at most ${most} characters`).regex(/^\P{Cc}*$/u, 'one line, without control characters');

/** The settings of the brand that pages show. SERVICE_NAME stays the name in headers and in sign-in messages. */
export const siteSettings = {
  SITE_NAME: {
    schema: line(60).optional(),
    default: 'SERVICE_NAME in capitals',
    doc: 'The name that pages, feeds, and link previews show. Any text of at most 60 characters.',
  },
  SITE_LOGO: {
    schema: text.optional(),
    default: 'a mark of the console',
    doc: 'Path of a logo: SVG, PNG, WebP, or JPEG, at most 256 KB. Pages show it 28 px high, and browsers use it as the icon. The service reads it at its start.',
  },
  SITE_ACCENT: {
    schema: z
      .string()
      .trim()
      .regex(/^#[0-9a-fA-F]{6}$/, 'a color such as #1f5fa8')
      .optional(),
    default: '#b3361a',
    doc: 'The color of links and buttons, as `#` and six hex digits. Its contrast to the light pages must be at least 4.5; the service refuses to start with a paler one. Dark pages use a lighter shade of it.',
  },
} satisfies Record<string, Setting>;

type Values = { [Key in keyof typeof siteSettings]: z.output<(typeof siteSettings)[Key]['schema']> } & {
  SERVICE_NAME: string;
};

/** An image file that pages show. */
export type Logo = { type: string; bytes: Buffer<ArrayBuffer> };
/** The operator's name for the service, and its look. */
export type SiteConfig = {
  name: string;
  logo: Logo | null;
  /** Null: the colors of the console. */
  accent: AccentColors | null;
};

/** Returns the brand of the service. */
export function siteSettingsOf(values: Values): SiteConfig {
  const { SITE_NAME: name, SITE_LOGO: logo, SITE_ACCENT: accent } = values;
  return {
    name: name ?? titleOf(values.SERVICE_NAME),
    logo: logo === undefined ? null : readLogo(logo),
    accent: accent === undefined ? null : accentColors(accent),
  };
}

/** Lists what forbids a start: a logo that cannot be read, and a color that nobody could read. */
export function siteProblems({ SITE_LOGO: logo, SITE_ACCENT: accent }: Values): string[] {
  const pale = accent === undefined ? null : accentProblem(accent);
  const problems = pale === null ? [] : [`SITE_ACCENT: ${pale}`];
  if (logo === undefined) return problems;
  try {
    readLogo(logo);
  } catch (error) {
    problems.push(`SITE_LOGO: ${error instanceof Error ? error.message : String(error)}`);
  }
  return problems;
}

function readLogo(path: string): Logo {
  if (statSync(path).size > LOGO_BYTES) throw new Error(`${path} has more than 256 KB`);
  const bytes = Buffer.from(readFileSync(path));
  const type = typeOf(bytes);
  if (type === null) throw new Error(`${path} is neither SVG, PNG, WebP, nor JPEG`);
  return { type, bytes };
}

function typeOf(bytes: Buffer): string | null {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  return /^\s*(?:<\?xml|<!--|<!doctype svg|<svg)[^]*<svg|^\s*<svg/i.test(bytes.toString('utf8', 0, 2_000))
    ? 'image/svg+xml'
    : null;
}

/** Returns `some-brand` in the form that people read. */
function titleOf(serviceName: string): string {
  return serviceName
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ');
}
