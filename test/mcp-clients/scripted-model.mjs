import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * A model behind the API of OpenAI that follows a script. Each step gets the texts of all tool results so far, and returns
 * the next call `{name, args}`, or the last answer as text.
 */
export async function startModel(steps) {
  const seen = [];
  const server = createServer(async (request, response) => {
    const { messages } = await json(request);
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => plain(content));
    seen.push(...results.slice(seen.length));
    const step = steps[results.length];
    const next = step ? step(results) : 'done';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(completion(next, results.length)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/v1`, results: seen };
}

/** Frameworks wrap results of tools differently, so the script reads them as text without escapes. */
function plain(content) {
  return (typeof content === 'string' ? content : JSON.stringify(content)).replaceAll('\\', '');
}

function completion(next, step) {
  const call = typeof next === 'string' ? null : next;
  const tool = call && {
    id: `call_${step}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.args) },
  };
  return {
    id: `answer_${step}`,
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: call ? null : next, ...(tool ? { tool_calls: [tool] } : {}) },
        finish_reason: call ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
