import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { type PausableServer, reading, startHttp } from './http-server.ts';

/** One request as it arrived, in the format of the protocol. */
export type AiRequest = {
  path: string;
  headers: IncomingHttpHeaders;
  body: {
    model: string;
    messages: [
      { role: 'system'; content: string },
      { role: 'user'; content: { type: string; text?: string; image_url?: { url: string } }[] },
    ];
    response_format: { type: string; json_schema?: { strict: boolean; schema: Record<string, unknown> } };
    max_tokens?: number;
    max_completion_tokens?: number;
    tools?: unknown;
  };
};

/** Answers one request in any way. `index` counts the requests from 0. */
export type AiBehavior = (request: AiRequest, response: ServerResponse, index: number) => void | Promise<void>;

/** `url`: the base URL, in the format of AI_URL. */
type AiServer = PausableServer & { requests: AiRequest[]; behave(behavior: AiBehavior): void };

/** Starts a model endpoint that speaks the real protocol over a real socket and gives the answers of the test. */
export async function startAiServer(): Promise<AiServer> {
  const requests: AiRequest[] = [];
  let behavior: AiBehavior = (_, response) => void response.writeHead(503).end();
  const server = await startHttp(
    reading(({ path, headers, body }, response) => {
      const request = { path, headers, body: JSON.parse(body) as AiRequest['body'] };
      return behavior(request, response, requests.push(request) - 1);
    }),
  );
  return {
    ...server,
    url: `${server.url}/v1`,
    requests,
    behave(next) {
      behavior = next;
    },
  };
}

export type Completion = {
  content?: unknown;
  message?: object;
  finish?: string;
  tokens?: number | null;
  more?: object;
};

/** Builds a completion of the protocol, with the parts that a test changes. */
export function completion({ content, message, finish = 'stop', tokens = 700, more }: Completion) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'judge-1',
    choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content, refusal: null, ...message } }],
    ...(tokens === null ? {} : { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: tokens } }),
    ...more,
  };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Answers with a completion that contains this text. */
export function says(content: unknown, tokens: number | null = 700): AiBehavior {
  return (_, response) => sendJson(response, completion({ content, tokens }));
}

export const verdict = (score: unknown, reason: unknown = 'A calm picture with a clear idea.') =>
  JSON.stringify({ score, reason });
