import {
  Agent,
  MCPServerStreamableHttp,
  run,
  setDefaultOpenAIClient,
  setOpenAIAPI,
  setTracingDisabled,
} from '@openai/agents';
import { OpenAI } from 'openai';
import { journeys } from './journeys.mjs';
import { payingFetch } from './paying-fetch.mjs';
import { startModel } from './scripted-model.mjs';
import { answer } from './stdin.mjs';

// The Agents SDK of OpenAI with its own MCP client.
await answer(async ({ url, key, privateKey, journey, given }) => {
  const steps = journeys[journey](given);
  const model = await startModel(steps);
  setTracingDisabled(true);
  setDefaultOpenAIClient(new OpenAI({ baseURL: model.url, apiKey: 'local' }));
  setOpenAIAPI('chat_completions');
  const server = new MCPServerStreamableHttp({
    name: 'concours',
    url: `${url}/mcp`,
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
    fetch: payingFetch(privateKey),
  });
  await server.connect();
  const agent = new Agent({ name: 'Agent', instructions: 'Do your task.', model: 'scripted', mcpServers: [server] });
  const { finalOutput } = await run(agent, 'Do your task.', { maxTurns: steps.length + 2 });
  return { text: finalOutput, results: model.results };
});
