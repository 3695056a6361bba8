import type { Context as HonoContext, Env, Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { escapeHtml } from '../../escape-html.ts';
import { confirmAddress, unsubscribe } from '../../mail/contacts/public.ts';
import { type Guarded, plainHeaders } from '../answers/public.ts';

type Parts = Pick<Deps, 'db' | 'clock' | 'mailTokens'> & { guarded: Guarded };

const headers = {
  ...plainHeaders,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // The address of the page holds its token.
  'X-Robots-Tag': 'noindex',
};

type Page = { status: 200 | 404; title: string; text: string; button?: string };

const CONFIRM: Page = {
  status: 200,
  title: 'Confirm your address',
  text: 'Press the button to get emails about events of your account at this address.',
  button: 'Confirm address',
};
const CONFIRMED: Page = {
  status: 200,
  title: 'Address confirmed',
  text: 'Emails are sent to this address from now on. Each email has a link that ends them.',
};
const LINK_OVER: Page = {
  status: 404,
  title: 'The link does not work any more',
  text: 'It was used, replaced by a newer one, or has expired after 24 hours. Enter the address again to get a new link.',
};
const UNSUBSCRIBE: Page = {
  status: 200,
  title: 'Unsubscribe',
  text: 'Press the button to end all emails about this account to your address.',
  button: 'Unsubscribe',
};
const UNSUBSCRIBED: Page = {
  status: 200,
  title: 'Unsubscribed',
  text: 'The service sends no more emails about this account to your address.',
};
const NO_LINK: Page = {
  status: 404,
  title: 'Unknown link',
  text: 'This link is incomplete. Copy it from the email again.',
};

/**
 * Serves the links in emails. A GET changes nothing, because mail servers open links to examine them. The button of the
 * page sends a POST, as does the unsubscribe button of mail programs (RFC 8058). Both need no script and no sign-in.
 */
export function mountMailPages<E extends Env>(app: Hono<E>, parts: Parts): void {
  const show = (c: HonoContext<E>, page: Page) => c.body(pageOf(page), page.status, headers);
  const tokenOf = (c: HonoContext<E>) => c.req.param('token') ?? '';
  app.get('/mail/verify/:token', (c) => show(c, CONFIRM));
  app.post('/mail/verify/:token', async (c) => {
    const confirmed = await parts.guarded(() => confirmAddress(parts, tokenOf(c)));
    return show(c, confirmed ? CONFIRMED : LINK_OVER);
  });
  app.get('/mail/unsubscribe/:token', (c) =>
    show(c, parts.mailTokens.readUnsubscribe(tokenOf(c)) ? UNSUBSCRIBE : NO_LINK),
  );
  app.post('/mail/unsubscribe/:token', async (c) => {
    const ended = await parts.guarded(() => unsubscribe(parts, tokenOf(c)));
    return show(c, ended ? UNSUBSCRIBED : NO_LINK);
  });
}

/** The form posts to the address of the page itself. */
function pageOf({ title, text, button }: Page): string {
  const form = button ? `<form method="post"><button>${escapeHtml(button)}</button></form>` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/guide.css">
</head>
<body>
<div class="page">
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${form}
</main>
</div>
</body>
</html>
`;
}
