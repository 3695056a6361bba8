import type { Context as HonoContext, Env, Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { InspectorBusy } from '../../pictures/public.ts';
import type { SharePicture } from '../../ports/pictures.ts';
import { StorageError } from '../../ports/storage.ts';
import { plainHeaders, type WithDeadline } from '../answers/public.ts';
import type { FindPage, Page } from './page-facts.ts';
import { FIRST_TITLE, projectStateText, usdc, winsOf } from './page-head.ts';

type Parts = Pick<Deps, 'config' | 'publicCopies' | 'renderSharePicture' | 'log'>;

/** About 100 KB each. */
const MOST_KEPT = 64;
const DEFAULT_ACCENT = '#b3361a';
const COLORS = ['#1f3a5f', '#b5892b', '#2d4739', '#9c2f2f'];
/** The pictures of fixed pages. */
const FIXED: Record<string, string> = { market: '/', leaderboard: '/leaderboard', start: '/agents/start' };

const headers = {
  ...plainHeaders,
  'Content-Type': 'image/jpeg',
  // Other sites and their crawlers show these pictures.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

const AWAY = { ...plainHeaders, 'Retry-After': '30' };

/**
 * Serves the pictures of link previews. They show only what the page shows to everybody: of an entry its watermarked preview,
 * once its project is completed. The newest ones stay in memory, and drawing is bounded: while too many wait, an address
 * leads to the picture of the market.
 */
export function mountSharePictures<E extends Env>(
  app: Hono<E>,
  parts: Parts,
  findPage: FindPage,
  withDeadline: WithDeadline,
): void {
  const draw = keptPictures(parts);
  const answer = async (c: HonoContext<E>, path: string | undefined) => {
    const page = path === undefined ? null : await findPage(path);
    // The database does not say what the page is: the address may well have a picture.
    if (page === 'unknown') return c.body(null, 503, AWAY);
    if (page === null || page.kind === 'private') return await c.notFound();
    try {
      const jpeg = await withDeadline(draw(pictureOf(page, parts)), false);
      return c.body(jpeg, 200, {
        ...headers,
        'Cache-Control': 'public, max-age=3600',
        'Content-Length': String(jpeg.length),
      });
    } catch (error) {
      if (!(error instanceof InspectorBusy || error instanceof StorageError)) throw error;
      parts.log.info({ problem: error.message, path }, 'no picture for a link preview');
      return page.kind === 'market' ? c.body(null, 503, AWAY) : c.redirect('/share/market.jpg', 302);
    }
  };
  app.get('/share/:name{\\w+\\.jpg}', async (c) => await answer(c, fixedPath(idOf(c.req.param('name')))));
  app.get('/share/projects/:name', async (c) => await answer(c, `/projects/${idOf(c.req.param('name'))}`));
  app.get('/share/agents/:name', async (c) => await answer(c, `/agents/${idOf(c.req.param('name'))}`));
}

function fixedPath(name: string): string | undefined {
  return Object.hasOwn(FIXED, name) ? FIXED[name] : undefined;
}

function idOf(name: string): string {
  return name.endsWith('.jpg') ? name.slice(0, -'.jpg'.length) : '';
}

/** A page with a picture of its own. */
type Shown = Exclude<Page, { kind: 'private' }>;
type Wanted = Omit<SharePicture, 'copy'> & { mediaFileId: string | null };

function pictureOf(page: Shown, { config }: Parts): Wanted {
  const { site } = config;
  const base = {
    site: site.name,
    accent: site.accent?.light.accent ?? DEFAULT_ACCENT,
    colors: COLORS,
    mediaFileId: null,
  };
  switch (page.kind) {
    case 'market':
      return { ...base, title: site.tagline ?? FIRST_TITLE, lines: ['Prizes in USDC, held in escrow'] };
    case 'leaderboard':
      return { ...base, title: 'Leaderboard', lines: ['The AI agents that won most'] };
    case 'start':
      return { ...base, title: 'Enter with your agent', lines: ['curl, JavaScript, command line, MCP'] };
    case 'project': {
      const { title, colors, winner, prizeMicro } = page.project;
      const lines = [`${usdc(prizeMicro)} USDC prize`, projectStateText(page.project).replace(/[:.].*$/, '')];
      return { ...base, title, lines, colors, mediaFileId: winner?.mediaFileId ?? null };
    }
    case 'agent': {
      const { name, wins, earnedMicro } = page.agent;
      return { ...base, title: name, lines: [`${usdc(earnedMicro)} USDC earned`, winsOf(wins)] };
    }
  }
}

/** Draws each picture once, also for requests at the same time, and keeps the newest ones. */
function keptPictures({ publicCopies, renderSharePicture }: Parts): (wanted: Wanted) => Promise<Buffer<ArrayBuffer>> {
  const kept = new Map<string, Promise<Buffer<ArrayBuffer>>>();

  async function make({ mediaFileId, ...text }: Wanted): Promise<Buffer<ArrayBuffer>> {
    const copy = mediaFileId === null ? null : await publicCopies.read(mediaFileId, 'marked-image');
    return Buffer.from(await renderSharePicture({ ...text, copy }));
  }

  return async (wanted) => {
    const key = JSON.stringify(wanted);
    const known = kept.get(key);
    const picture = known ?? make(wanted);
    // The picture that was asked for last moves to the end.
    kept.delete(key);
    kept.set(key, picture);
    if (!known) picture.catch(() => kept.delete(key));
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(oldest);
    }
    return await picture;
  };
}
