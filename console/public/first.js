// Before anything is painted: the colours that this browser chose last, else the system's.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('concours-colours');
  } catch (error) {
    // Storage that is switched off is no reason to show nothing.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();

// What the page will ask for first is asked for while its code is on the way: console/api.ts takes these answers.
(function () {
  var project = /^\/projects\/([0-9a-f-]{36})$/.exec(location.pathname);
  var url =
    location.pathname === '/' && location.search === ''
      ? '/api/v1/projects?status=open&order_by=created_at&order_direction=desc'
      : project && '/api/v1/projects/' + project[1];
  globalThis.__early = {};
  if (url) globalThis.__early[url] = fetch(url);
})();

// Forms are checked by the contract's schemas, which would otherwise try whether this page may make code from text.
globalThis.__zod_globalConfig = { jitless: true };
