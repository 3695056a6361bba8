import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Place } from './place.ts';

const BETWEEN = '_';

export function usePlace() {
  const search: Place = useSearch({ strict: false });
  // The route tree is assembled at run time, so its types are unknown here.
  const router: { history: { back(): void } } = useRouter();
  const navigate = useNavigate();
  const { entry = null, compare } = search;
  const isOpen = entry !== null || compare !== undefined;
  // Whether this page added the place to the history, so that closing goes back instead of adding another address.
  const added = useRef(false);
  const closing = useRef(false);
  // A place asked for while the one before still closes. Opened at once, it would be closed too.
  const next = useRef<Place | null>(null);
  const go = (place: Place, replace: boolean) => void navigate({ to: '.', search: place, replace, resetScroll: false });
  const show = (place: Place) => {
    if (closing.current) {
      next.current = place;
      return;
    }
    if (!isOpen) added.current = true;
    go(place, isOpen);
  };
  useEffect(() => {
    closing.current = false;
    if (isOpen) return;
    added.current = false;
    const place = next.current;
    next.current = null;
    if (place) show(place);
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
