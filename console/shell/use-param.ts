import { useParams } from '@tanstack/react-router';

/** A parameter of the page's path: each area's routes are put together at run time, so that their types are not known here. */
export function useParam(name: string): string {
  const params: Record<string, string | undefined> = useParams({ strict: false });
  return params[name] ?? '';
}
