// Before anything is painted: the colors that this browser chose last, else the system's.
{
  let chosen = null;
  try {
    chosen = localStorage.getItem('concours-color-scheme');
  } catch {
    // Storage that is switched off is no reason to show nothing.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
}

// What the page will ask for first is asked for while its code is on the way: console/api.ts takes these answers.
{
  const [, project] = /^\/projects\/([0-9a-f-]{36})$/.exec(location.pathname) ?? [];
  const market = location.pathname === '/' && location.search === '';
  const first = market ? '/api/v1/projects?status=open&order_by=created_at&order_direction=desc' : null;
  const url = project ? `/api/v1/projects/${project}` : first;
  globalThis.concoursEarlyRequests = url ? { [url]: fetch(url) } : {};
}

// Forms are checked by the contract's schemas, which would otherwise try whether this page may make code from text.
// eslint-disable-next-line no-underscore-dangle -- where zod looks for its settings
globalThis.__zod_globalConfig = { jitless: true };
