import type { IncomingMessage } from 'node:http';

/** Returns a signal that is aborted when the connection of a request closes before `end` is called. */
export function watchConnection({ socket }: Pick<IncomingMessage, 'socket'>): { signal: AbortSignal; end: () => void } {
  const left = new AbortController();
  const leave = () => left.abort();
  if (socket.destroyed) leave();
  socket.once('close', leave);
  return { signal: left.signal, end: () => socket.off('close', leave) };
}

/**
 * Runs `work` with a signal that is aborted when the client leaves, and when the work fails, because its client then has a
 * refusal: what the work had begun is for nobody.
 */
export async function whileWaitedFor<T>(
  incoming: Pick<IncomingMessage, 'socket'>,
  work: (left: AbortSignal) => Promise<T>,
): Promise<T> {
  const left = new AbortController();
  const watched = watchConnection(incoming);
  watched.signal.addEventListener('abort', () => left.abort());
  try {
    return await work(left.signal);
  } catch (error) {
    left.abort();
    throw error;
  } finally {
    watched.end();
  }
}
