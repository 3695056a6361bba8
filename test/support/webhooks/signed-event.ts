import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** An event with the headers that the service sends. */
export function signedEvent(event: object = { event: 'PROJECT.OPEN', data: { project: { id: 'x' } } }) {
  const secret = 'ab'.repeat(32);
  const body = JSON.stringify({ ...event, timestamp: new Date().toISOString() });
  const hooks = new Webhook(Buffer.from(secret, 'hex').toString('base64'));
  const at = new Date();
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': hooks.sign('msg_1', at, body),
    'service-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
  return { secret, headers, body };
}
