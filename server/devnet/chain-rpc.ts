/** Makes one JSON-RPC call to anvil. @throws Error for a refusal, TypeError when anvil does not answer */
export type Rpc = (method: string, params: unknown[]) => Promise<unknown>;

export function rpcClient(url: string): Rpc {
  return async (method, params) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(30_000),
    });
    const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  };
}
