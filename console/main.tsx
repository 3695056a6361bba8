import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import './styles/base.css';
import { createQueryClient } from './api/public.ts';
import { createConsoleRouter } from './router.ts';

/** For a browser that never tells of its first paint. */
const MOST_WAIT_MS = 500;

const queries = createQueryClient();
const router = createConsoleRouter(queries);

// A page that was opened before an upgrade asks for parts of a build that is gone: it is loaded anew, once. While nothing
// answers it stays as it is: what it holds in memory, a key above all, would be lost for an empty window.
window.addEventListener('vite:preloadError', (event) => {
  // By its own words the router would know it, and reload whatever the network is like.
  event.payload.message = 'The code of a page could not be had.';
  void reloadWhereAnswered();
});

async function reloadWhereAnswered(): Promise<void> {
  const last = Number(sessionStorage.getItem('concours-reloaded') ?? 0);
  if (Date.now() - last < 60_000 || (await fetch('/healthz').catch(() => null)) === null) return;
  sessionStorage.setItem('concours-reloaded', String(Date.now()));
  location.reload();
}

const place = document.getElementById('console');
if (!place) throw new Error('the page has no place for the console');

// What index.html shows at first stays until the opened page can be drawn as a whole.
await Promise.all([router.load(), firstSightIsPainted()]);
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

/** Half a second of a slow phone's processor goes into drawing the page: its heading is seen before. */
function firstSightIsPainted(): Promise<void> {
  // A page in the background paints nothing.
  if (document.visibilityState === 'hidden') return Promise.resolve();
  return new Promise((resolve) => {
    // A frame that was begun is not seen yet: replaced in that moment, the heading was seen 300 ms later.
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return;
      observer.disconnect();
      resolve();
    }).observe({ type: 'paint', buffered: true });
    setTimeout(resolve, MOST_WAIT_MS);
  });
}
