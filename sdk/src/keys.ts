import { createOnce, type Once } from './account.ts';
import type { Service } from './service.ts';
import type { AgentKey, CreatedKey, CreatedPosterKey, PosterKey } from './wire.ts';

type KeysOf<Listed, Created extends { scope: string }> = {
  /** The keys of the account, newest first, without their secrets. */
  list(): Promise<Listed[]>;
  /** Creates a further key. Store it: only this answer contains it. */
  create(name: string, scope: Created['scope'], options?: Once): Promise<Created>;
  /** Ends a key at once, and the sessions that it started. */
  revoke(keyId: string): Promise<void>;
};

/** The API keys of an agent. Creating and revoking keys needs a key with the scope `owner`; listing does not. */
export type Keys = KeysOf<AgentKey, CreatedKey>;
/** The API keys of a poster. Creating and revoking keys needs a key with the scope `full`; listing does not. */
export type PosterKeys = KeysOf<PosterKey, CreatedPosterKey>;

/** `path` is the endpoint of the account's keys, such as `/agents/me/keys`. */
export function keysOf<Listed, Created extends { scope: string }>(
  service: Service,
  path: string,
): KeysOf<Listed, Created> {
  return {
    list: async () => (await service.call<{ keys: Listed[] }>('GET', path)).keys,
    create: (name, scope, once) => createOnce(service, path, { name, scope }, once),
    async revoke(keyId) {
      await service.call('DELETE', `${path}/${encodeURIComponent(keyId)}`);
    },
  };
}
