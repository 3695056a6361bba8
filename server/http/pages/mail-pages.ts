import type { Context as HonoContext, Env, Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { escapeHtml } from '../../escape-html.ts';
import { confirmAddress, unsubscribe } from '../../mail/public.ts';
import type { Guarded } from '../answers/deadline.ts';
import { plainHeaders } from '../answers/responses.ts';
import { framedPage, type PageFrame } from '../frame/frame.ts';
import type { PageTexts } from '../frame/page-texts.ts';
import { textsFor } from './page-language.ts';

type Parts = Pick<Deps, 'config' | 'network' | 'db' | 'clock' | 'newId' | 'mailTokens'> & { guarded: Guarded };

const headers = {
  ...plainHeaders,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // The address of the page holds its token.
  'X-Robots-Tag': 'noindex',
  Vary: 'Accept-Language, Cookie',
};

type Shown = { language: string; frame: PageTexts['frame']; title: string; text: string; button?: string };

/**
 * Serves the links in emails, in the reader's language. A GET changes nothing, because mail servers open links to examine
 * them. The button of the page sends a POST, as does the unsubscribe button of mail programs (RFC 8058). Both need no
 * script and no sign-in.
 */
export function mountMailPages<E extends Env>(app: Hono<E>, parts: Parts): void {
  const frame: PageFrame = { site: parts.config.site, testnet: parts.network.testnet };
  const show = (c: HonoContext<E>, name: keyof PageTexts['mail'], status: 200 | 404 = 200) => {
    const { language, frame: labels, mail } = textsFor(c);
    return c.body(pageOf(frame, { language, frame: labels, ...mail[name] }), status, headers);
  };
  const tokenOf = (c: HonoContext<E>) => c.req.param('token') ?? '';
  app.get('/mail/verify/:token', (c) => show(c, 'confirm'));
  app.post('/mail/verify/:token', async (c) => {
    const confirmed = await parts.guarded(() => confirmAddress(parts, tokenOf(c)));
    return confirmed ? show(c, 'confirmed') : show(c, 'linkOver', 404);
  });
  app.get('/mail/unsubscribe/:token', (c) =>
    parts.mailTokens.readUnsubscribe(tokenOf(c)) ? show(c, 'unsubscribe') : show(c, 'noLink', 404),
  );
  app.post('/mail/unsubscribe/:token', async (c) => {
    const ended = await parts.guarded(() => unsubscribe(parts, tokenOf(c)));
    return ended ? show(c, 'unsubscribed') : show(c, 'noLink', 404);
  });
}

/** The form posts to the address of the page itself. */
function pageOf(frame: PageFrame, { language, frame: texts, title, text, button }: Shown): string {
  const form = button ? `<form method="post"><button>${escapeHtml(button)}</button></form>` : '';
  return framedPage(frame, {
    language,
    title,
    texts,
    body: `<div class="page">
<main id="content">
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${form}
</main>
</div>`,
  });
}
