import type { ServerResponse } from 'node:http';
import { rpcProxy, sendJson } from '../servers/http-server.ts';

type Refuse = (id: number, response: ServerResponse) => void;

const withError =
  (status: number, code: number, message: string): Refuse =>
  (id, response) =>
    sendJson(response, status, { jsonrpc: '2.0', id, error: { code, message } });

/** How nodes and gateways refuse a range of logs. */
export const refusals = {
  'HTTP 400 and code -32600': withError(400, -32_600, 'eth_getLogs requests with up to a 5 block range are allowed'),
  'code -32602': withError(200, -32_602, 'query exceeds max block range 5'),
  'code -32005': withError(200, -32_005, 'query returned more than 10000 results'),
  'code -32000': withError(200, -32_000, 'exceed maximum block range: 5'),
  'code -32603': withError(200, -32_603, 'block range is too wide'),
  'code 35': withError(200, 35, 'ranges over 5 blocks are not supported on the free tier'),
  'HTTP 413': (_id, response) => void response.writeHead(413).end('Request Entity Too Large'),
  'HTTP 429': withError(429, -32_007, 'limit of 5 blocks reached'),
  'HTTP 503': (_id, response) => void response.writeHead(503).end('upstream timeout'),
  'a page of HTML': (_id, response) => void response.writeHead(200).end('<html>too large</html>'),
  'no list': (id, response) => sendJson(response, 200, { jsonrpc: '2.0', id, result: null }),
  'a closed connection': (_id, response) => void response.destroy(),
} satisfies Record<string, Refuse>;

/** Starts a proxy to a node that allows so many blocks in one eth_getLogs, and refuses more in another way each time. */
export async function logLimitProxy(target: string, blocks: number): Promise<string> {
  const ways = Object.values(refusals);
  let refused = 0;
  return await rpcProxy(target, ({ id, method, params }, response) => {
    if (method !== 'eth_getLogs') return false;
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
    if (Number(toBlock) - Number(fromBlock) < blocks) return false;
    ways[(refused += 1) % ways.length]?.(id, response);
    return true;
  });
}
