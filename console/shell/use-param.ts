import { useParams } from '@tanstack/react-router';

/** Returns a parameter of the page's path. The route tree is assembled at run time, so its types are unknown here. */
export function useParam(name: string): string {
  const params: Record<string, string | undefined> = useParams({ strict: false });
  return params[name] ?? '';
}
