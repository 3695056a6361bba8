import { createMCPClient } from '@ai-sdk/mcp';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs } from 'ai';
import { journeys } from './journeys.mjs';
import { payingFetch } from './paying-fetch.mjs';
import { startModel } from './scripted-model.mjs';
import { answer } from './stdin.mjs';

// The AI SDK of Vercel with its own MCP client.
await answer(async ({ url, key, privateKey, journey, given }) => {
  const steps = journeys[journey](given);
  const model = await startModel(steps);
  const provider = createOpenAICompatible({ name: 'scripted', baseURL: model.url });
  const client = await createMCPClient({
    transport: {
      type: 'http',
      url: `${url}/mcp`,
      headers: { Authorization: `Bearer ${key}` },
      fetch: payingFetch(privateKey),
    },
  });
  const { text } = await generateText({
    model: provider.chatModel('scripted'),
    tools: await client.tools(),
    stopWhen: stepCountIs(steps.length + 1),
    prompt: 'Do your task.',
  });
  return { text, results: model.results };
});
