import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { OpenedEntries } from './opened-entries.ts';

const BETWEEN = '_';

export function useOpenedEntries() {
  const search: OpenedEntries = useSearch({ strict: false });
  // The route tree is assembled at run time, so its types are unknown here.
  const router: { history: { back(): void } } = useRouter();
  const navigate = useNavigate();
  const { entry = null, compare } = search;
  const isOpen = entry !== null || compare !== undefined;
  // Whether this page added what is open to the history, so that closing goes back instead of adding another address.
  const added = useRef(false);
  const closing = useRef(false);
  // Entries asked for while those before still close. Opened at once, they would be closed too.
  const next = useRef<OpenedEntries | null>(null);
  const go = (opened: OpenedEntries, replace: boolean) =>
    void navigate({ to: '.', search: opened, replace, resetScroll: false });
  const show = (opened: OpenedEntries) => {
    if (closing.current) {
      next.current = opened;
      return;
    }
    if (!isOpen) added.current = true;
    go(opened, isOpen);
  };
  useEffect(() => {
    closing.current = false;
    if (isOpen) return;
    added.current = false;
    const opened = next.current;
    next.current = null;
    if (opened) show(opened);
  }, [isOpen]);
  return {
    entry,
    compared: compare === undefined ? null : compare.split(BETWEEN),
    isOpen,
    open: (id: string) => show({ entry: id }),
    compare: (ids: readonly string[]) => show({ compare: ids.join(BETWEEN) }),
    close: () => {
      // A dialog reports its end also when Back has closed it.
      if (!isOpen || closing.current) return;
      closing.current = true;
      if (added.current) router.history.back();
      else go({}, true);
    },
  };
}
