import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import { createQueryClient } from './api/public.ts';
import { createConsoleRouter } from './router.ts';

/** Upper bound for browsers that never report their first paint. */
const MOST_WAIT_MS = 500;

const queries = createQueryClient();
const router = createConsoleRouter(queries);

// A page opened before an upgrade may request chunks of the previous build. In that case, reload once.
// Do not reload while the service is unreachable: the page would lose its state, for example an API key.
window.addEventListener('vite:preloadError', (event) => {
  // The router recognizes the original message and reloads even without a network, so replace the message.
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

// Keep the first content of index.html until the page can render completely.
await Promise.all([router.load(), firstSightIsPainted()]);
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

/** Rendering takes half a second on a slow phone, so wait until the heading of index.html is visible. */
function firstSightIsPainted(): Promise<void> {
  // Browsers do not paint pages in the background.
  if (document.visibilityState === 'hidden') return Promise.resolve();
  return new Promise((resolve) => {
    // Wait for the paint itself: replacing the heading earlier delays the first paint by 300 ms.
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return;
      observer.disconnect();
      resolve();
    }).observe({ type: 'paint', buffered: true });
    setTimeout(resolve, MOST_WAIT_MS);
  });
}
