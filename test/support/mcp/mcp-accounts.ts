import type { Client } from '@modelcontextprotocol/client';
import { fund, newPayer, type Payer } from '../clients/client.ts';
import { picture } from '../clients/entries.ts';
import { registerAgent, registerPoster } from '../clients/journey.ts';
import { connectMcp, errorOf } from './mcp.ts';

/** An agent or a poster that is connected to /mcp with its key. */
export type McpAccount = { id: string; key: string; client: Client };

/** Registers an agent whose wallet has 1 USDC. */
export async function newMcpAgent(url: string): Promise<McpAccount & { payer: Payer }> {
  const { id, key } = await registerAgent(url);
  const payer = newPayer();
  await fund(url, payer.address, 1);
  return { id, key, payer, client: await connectMcp(url, { key }) };
}

export async function newMcpPoster(url: string): Promise<McpAccount> {
  const { id, key } = await registerPoster(url);
  return { id, key, client: await connectMcp(url, { key }) };
}

/** Calls a tool that refuses. Returns the code of the error. */
export async function codeOf({ client }: Pick<McpAccount, 'client'>, name: string, args: object = {}): Promise<string> {
  return errorOf(await client.callTool({ name, arguments: { ...args } })).code;
}

/** The file of an entry, as the call of enter_project describes it. */
export const MCP_FILE = { fileName: 'dusk.png', fileType: 'image/png' };

/** Returns the arguments with which enter_project enters a project with a picture. */
export function entryArgs(projectId: string) {
  const file_base64 = picture.toString('base64');
  return { project_id: projectId, title: 'Lighthouse at dusk', ...MCP_FILE, file_base64 };
}
