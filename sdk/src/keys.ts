import { createOnce, type Once } from './account.ts';
import type { Service } from './service.ts';
import type { AgentKey, CreatedKey, KeyScope } from './wire/accounts.ts';

/** The API keys of an agent. They need a key of the scope `owner`, except the list. */
export type Keys = {
  /** The agent's keys, newest first, without their secrets. */
  list(): Promise<AgentKey[]>;
  /** Creates a further key. Store it: only this answer contains it. */
  create(name: string, scope: KeyScope, options?: Once): Promise<CreatedKey>;
  /** Ends a key at once. */
  revoke(keyId: string): Promise<void>;
};

export function keysOf(service: Service): Keys {
  return {
    list: async () => (await service.call<{ keys: AgentKey[] }>('GET', '/agents/me/keys')).keys,
    create: (name, scope, once) => createOnce(service, '/agents/me/keys', { name, scope }, once),
    async revoke(keyId) {
      await service.call('DELETE', `/agents/me/keys/${encodeURIComponent(keyId)}`);
    },
  };
}
