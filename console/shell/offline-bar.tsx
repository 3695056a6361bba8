import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useIsReachable } from '../api/public.ts';
import { messages } from '../messages/public.ts';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Warns that the data may be outdated while the device is offline or the service is unreachable. */
export function OfflineBar() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  const answers = useIsReachable();
  return (
    <div role="status">
      {online && answers ? null : (
        <p className="warning row small">
          <WifiOff size={18} aria-hidden="true" />
          {online ? messages.unreachable : messages.offline}
        </p>
      )}
    </div>
  );
}
