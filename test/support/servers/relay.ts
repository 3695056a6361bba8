import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** A TCP relay to a dependency of the service, always at the same port. A test can cut, pause, and repair it. */
export type Relay = {
  port: number;
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Keeps all connections open but passes no data. */
  hold(): void;
  /** Passes data again, to another port if the dependency has restarted there. */
  mend(targetPort?: number): Promise<void>;
};

export async function startRelay(firstTarget: number): Promise<Relay> {
  let target = firstTarget;
  let held = false;
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    if (held) socket.pause();
    return socket;
  };
  const accept = (near: Socket) => {
    const far = track(connect(target, '127.0.0.1'));
    track(near);
    near.on('data', (chunk: Buffer) => far.write(chunk));
    far.on('data', (chunk: Buffer) => near.write(chunk));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    if (held) for (const socket of [near, far]) socket.pause();
  };
  let server: Server = await listenOn(0, accept);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    hold() {
      held = true;
      for (const socket of sockets) socket.pause();
    },
    async mend(targetPort = target) {
      target = targetPort;
      held = false;
      for (const socket of sockets) socket.resume();
      if (!server.listening) server = await listenOn(port, accept);
    },
  };
}

async function listenOn(port: number, accept: (socket: Socket) => void): Promise<Server> {
  const server = createServer(accept).listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return server;
}
