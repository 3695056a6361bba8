import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** One request as it arrived, in the format of the protocol. */
export type AiRequest = {
  path: string | undefined;
  headers: IncomingMessage['headers'];
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

export type AiServer = {
  /** The base URL, in the format of AI_URL. */
  url: string;
  requests: AiRequest[];
  behave(behavior: AiBehavior): void;
  /** Refuses connections until `resume` is called. The address stays the same. */
  pause(): Promise<void>;
  resume(): Promise<void>;
};

/** Starts a model endpoint that speaks the real protocol over a real socket and gives the answers of the test. */
export async function startAiServer(): Promise<AiServer> {
  const requests: AiRequest[] = [];
  let behavior: AiBehavior = (_, response) => void response.writeHead(503).end();
  let port = 0;
  const server = createServer((incoming, response) => {
    void readBody(incoming).then((body) => {
      const request = { path: incoming.url, headers: incoming.headers, body };
      const index = requests.push(request) - 1;
      return behavior(request, response, index);
    });
  });
  const resume = () =>
    new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', () => {
        ({ port } = server.address() as AddressInfo);
        resolve();
      });
    });
  const pause = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await resume();
  after(pause);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    behave(next) {
      behavior = next;
    },
    pause,
    resume,
  };
}

async function readBody(incoming: IncomingMessage): Promise<AiRequest['body']> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as AiRequest['body'];
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
