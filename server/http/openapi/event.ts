type Json = Record<string, unknown>;

/** A webhook event, for the `webhooks` member of OpenAPI 3.1. */
export function describeEvent(
  serviceName: string,
  event: { operationId: string; summary: string; schema: Json },
): Json {
  const { operationId, summary, schema } = event;
  return {
    operationId,
    summary,
    description:
      'Tried again after 0 s, 1 min, 5 min, 30 min, 2 h and 8 h until it is answered as asked for, within 5 s. The same event can come twice.',
    tags: ['Webhooks'],
    security: [],
    parameters: Object.entries(headersOf(serviceName)).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Taken; the content type is `text/plain` or `application/json`' },
      '401': { description: 'The signature is wrong: tried again, like every other failure' },
      '410': { description: 'Nothing more is sent to this webhook until its URL is registered again' },
    },
  };
}

function headersOf(serviceName: string): Record<string, string> {
  const named = 'the HMAC-SHA256 of the body as it came, in hex, keyed with the text of the secret';
  return {
    [`${serviceName}-signature`]: 'As `service-signature`',
    'service-signature': `\`sha256=\` and ${named}`,
    'webhook-id': 'Of the event: the same at each attempt (Standard Webhooks)',
    'webhook-timestamp': 'Unix time of this attempt (Standard Webhooks)',
    'webhook-signature': '`v1,` and base64; two of them for a day after a replacement (Standard Webhooks)',
  };
}
