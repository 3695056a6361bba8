import { onlineManager } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useIsReachable } from '../api/public.ts';
import { messages } from '../messages/public.ts';

/** Warns that the data may be outdated while the device is offline or the service is unreachable. */
export function OfflineBar() {
  const online = useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline(),
  );
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
