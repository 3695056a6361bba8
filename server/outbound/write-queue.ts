import type { Socket } from 'node:net';

/**
 * Sends the requests of one event-loop turn back to back at the end of the turn. A receiver then wakes up once for several
 * requests. Decision 0040 has the measurement: without the queue, a request over an open connection costs 30 % more CPU.
 */
export class WriteQueue {
  #waiting: { socket: Socket; bytes: Buffer }[] = [];

  write(socket: Socket, bytes: Buffer): void {
    if (this.#waiting.push({ socket, bytes }) === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const writes = this.#waiting;
    this.#waiting = [];
    // A request that passed its deadline meanwhile has closed its socket.
    for (const { socket, bytes } of writes) if (!socket.destroyed) socket.write(bytes);
  }
}
