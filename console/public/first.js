// Sets the color scheme before the first paint: the user's choice, or else the system setting.
{
  let chosen = null;
  try {
    chosen = localStorage.getItem('concours-color-scheme');
  } catch {
    // Storage is disabled: use the system setting.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
}

// Picks the language: the user's choice, or else the one that the service found in the browser's settings.
{
  const [, chosen] = /(?:^|; )language=(en|de|es|fr|zh)(?:;|$)/.exec(document.cookie) ?? [];
  const language = chosen ?? document.documentElement.lang;
  globalThis.concoursLanguage = language;
  document.documentElement.lang = language;
}

// Sends the page's first request while its code loads. console/api/client.ts uses the response.
{
  const [, project] = /^\/projects\/([0-9a-f-]{36})$/.exec(location.pathname) ?? [];
  const detail = `/api/v1/projects/${project}`;
  const list = '/api/v1/projects?status=open&order_by=created_at&order_direction=desc';
  const figures = '/api/v1/market';
  globalThis.concoursEarlyRequests = project ? { [detail]: fetch(detail) } : {};
  if (location.pathname === '/' && location.search === '')
    globalThis.concoursEarlyRequests = { [list]: fetch(list), [figures]: fetch(figures) };
}

// The page's policy forbids code from text, so zod must not try to compile its schemas.
// eslint-disable-next-line no-underscore-dangle -- the name that zod reads its settings from
globalThis.__zod_globalConfig = { jitless: true };
