import { type AnyRouter, type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../api/public.ts';
import { ErrorState, Loading, Page } from '../components/public.ts';
import { messages } from '../messages/public.ts';

const NO_CONNECTION = new ApiError({ status: 0, code: 'OFFLINE', message: '' });

/** Shown when a page throws while rendering, or when its code cannot be loaded. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const [missing] = useState(() => missingCode(router).length > 0);
  return missing ? (
    <CodeIsMissing router={router} onLoaded={reset} />
  ) : (
    <Page title={messages.errors.unexpected.title}>
      <ErrorState error={error} onRetry={reset} />
    </Page>
  );
}

/** Retries immediately, because the first failure may be an old preload. Retries again when the network returns. */
function CodeIsMissing({ router, onLoaded }: { router: AnyRouter; onLoaded: () => void }) {
  const [busy, setBusy] = useState(true);
  const load = useCallback(async () => {
    setBusy(true);
    await Promise.all(missingCode(router).map((ask) => ask()));
    setBusy(false);
    if (missingCode(router).length === 0) onLoaded();
  }, [router, onLoaded]);
  useEffect(() => {
    const again = () => void load();
    again();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [load]);
  return (
    <Page title={messages.errors.offline.title}>
      {busy ? <Loading /> : <ErrorState error={NO_CONNECTION} onRetry={() => void load()} />}
    </Page>
  );
}

/** Returns the loaders of the open page's components that are not loaded yet. Loaded components have no loader. */
function missingCode({ state, routesById }: AnyRouter): (() => Promise<unknown>)[] {
  const routes = routesById as Record<string, { options: { component?: { preload?: () => Promise<unknown> } } }>;
  return (state.matches as { routeId: string }[]).flatMap(({ routeId }) => {
    const preload = routes[routeId]?.options.component?.preload;
    return preload ? [preload] : [];
  });
}
