import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { payingFetch } from './paying-fetch.mjs';
import { answer } from './stdin.mjs';

// The first generation of the official SDK. It compares even the 402 with the output schema of the tool.
await answer(async ({ url, key, privateKey, calls }) => {
  const headers = { Authorization: `Bearer ${key}` };
  const open = async (fetch) => {
    const client = new Client({ name: 'first', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers }, fetch }));
    await client.listTools();
    return client;
  };
  const [plain, paying] = [await open(fetch), await open(payingFetch(privateKey))];
  const results = [];
  for (const { name, args, pays } of calls)
    results.push(await (pays ? paying : plain).callTool({ name, arguments: args }));
  return { results, protocol: plain.transport.protocolVersion };
});
