import type { IncomingMessage } from 'node:http';

/** Returns a signal that is aborted when the connection of a request closes before `end` is called. */
export function watchConnection({ socket }: Pick<IncomingMessage, 'socket'>): { signal: AbortSignal; end: () => void } {
  const left = new AbortController();
  const leave = () => left.abort();
  if (socket.destroyed) leave();
  socket.once('close', leave);
  return { signal: left.signal, end: () => socket.off('close', leave) };
}
