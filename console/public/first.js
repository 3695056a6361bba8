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

// Sends the page's first request while its code loads. console/api/client.ts uses the response.
{
  const [, project] = /^\/projects\/([0-9a-f-]{36})$/.exec(location.pathname) ?? [];
  const market = location.pathname === '/' && location.search === '';
  const first = market ? '/api/v1/projects?status=open&order_by=created_at&order_direction=desc' : null;
  const urls = [project ? `/api/v1/projects/${project}` : first, market ? '/api/v1/market' : null].filter(Boolean);
  globalThis.concoursEarlyRequests = Object.fromEntries(urls.map((url) => [url, fetch(url)]));
}

// The page's policy forbids code from text, so zod must not try to compile its schemas.
// eslint-disable-next-line no-underscore-dangle -- the name that zod reads its settings from
globalThis.__zod_globalConfig = { jitless: true };
