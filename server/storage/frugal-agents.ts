import { Agent as HttpAgent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

// The most that one read of a socket brings.
const SOCKET_BYTES = 64 * 1024;

/**
 * Returns agents whose sockets read into one buffer each. Otherwise Node makes a buffer for each read, and V8 collects
 * them only after about 64 MB.
 */
export function createFrugalAgents(options: AgentOptions): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  return { httpAgent: frugal(new HttpAgent(options)), httpsAgent: frugal(new HttpsAgent(options)) };
}

function frugal<A extends HttpAgent>(agent: A): A {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (given, done) => {
    // With `onread`, a socket emits no data. Node's HTTP parser listens for it, and copies what it takes.
    const callback = (length: number, { buffer, byteOffset }: Uint8Array) => {
      socket?.emit('data', Buffer.from(buffer, byteOffset, length));
      return true;
    };
    const options: ClientRequestArgs & { onread: object } = {
      ...given,
      onread: { buffer: Buffer.allocUnsafeSlow(SOCKET_BYTES), callback },
    };
    const socket = connect(options, done);
    return socket;
  };
  return agent;
}

/** Gives the memory of a buffer back now. Only for a buffer that nothing reads again. */
export function freeMemory({ buffer, byteLength }: Buffer): void {
  // A smaller buffer can share its memory with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
