import { useLayoutEffect, useRef } from 'react';

/** Opens a native modal dialog. The browser returns the focus when it closes. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  // The cleanup of `useEffect` runs after the dialog has left the page, where the browser returns no focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The browser would focus the first button, or a scrolling list, although keys act on the whole dialog.
    if (element?.hasAttribute('tabindex')) element.focus();
    return () => {
      // Nobody has closed it: a page that is only hidden, because the session has ended, opens it again.
      element?.addEventListener('close', (event) => event.stopImmediatePropagation(), { capture: true, once: true });
      element?.close();
    };
  }, []);
  return dialog;
}
