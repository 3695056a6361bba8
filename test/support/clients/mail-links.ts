import assert from 'node:assert/strict';
import type { ReceivedMail } from '../servers/smtp-server.ts';

/** Returns the path of the only link of a kind in an email. */
export function linkIn(mail: ReceivedMail | undefined, kind: 'verify' | 'unsubscribe'): string {
  const link = new RegExp(`http://[\\w.:]+(/mail/${kind}/[\\w-]+)`);
  const [, inText] = link.exec(mail?.text ?? '') ?? [];
  assert.ok(inText, `no ${kind} link in: ${mail?.text}`);
  return inText;
}
