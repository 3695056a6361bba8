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

// Forms are checked by the contract's schemas, which would otherwise try whether this page may make code from text.
globalThis.__zod_globalConfig = { jitless: true };
