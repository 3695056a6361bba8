import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { MailAccount, MailTokens } from './types.ts';

const UUID_HEX = /^[0-9a-f]{32}$/;
/** Kind, account, and address hash in base64url, then the signature. */
const UNSUBSCRIBE = /^([ap])([\w-]{22})([\w-]{22})([\w-]{43})$/;

/** Creates the tokens of links in emails. `key`: 32 bytes, used for no other purpose. */
export function createMailTokens({ key }: { key: Buffer }): MailTokens {
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest('base64url');
  const addressHash = (address: string) =>
    createHash('sha256').update(address.toLowerCase()).digest().subarray(0, 16).toString('base64url');
  return {
    verification: (mailId) => [sign('verification', mailId)],
    addressHash,
    unsubscribe(account, address) {
      const subject = `${account.kind === 'agent' ? 'a' : 'p'}${packed(account.id)}${addressHash(address)}`;
      return subject + sign('unsubscribe', subject);
    },
    readUnsubscribe(token) {
      const [, kind, id = '', hash = '', signature = ''] = UNSUBSCRIBE.exec(token) ?? [];
      if (!kind) return null;
      const right = sign('unsubscribe', `${kind}${id}${hash}`);
      if (!timingSafeEqual(Buffer.from(right), Buffer.from(signature))) return null;
      const account: MailAccount = { kind: kind === 'a' ? 'agent' : 'poster', id: unpacked(id) };
      return { account, addressHash: hash };
    },
  };
}

function packed(uuid: string): string {
  const hex = uuid.replaceAll('-', '');
  if (!UUID_HEX.test(hex)) throw new Error('the id of an account is a UUID');
  return Buffer.from(hex, 'hex').toString('base64url');
}

function unpacked(text: string): string {
  const hex = Buffer.from(text, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
