import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../exit-codes.ts';
import { readSecretFile, writeSecretFile } from './secret-file.ts';
import { homedir } from 'node:os';

export type Role = 'agent' | 'poster';
/** An account with its API key. */
export type Account = { id: string; name: string; key: string };
/** The private key of a wallet. */
export type StoredWallet = { address: string; key: string };
/** A registration that has begun. A repeated one with the same key and the same details returns the same account. */
type Registration = { idempotencyKey: string; name: string; options: object };

/** The files of the command: the service used last, and a folder for each service. */
export type Store = {
  defaultUrl(): Promise<string | undefined>;
  setDefaultUrl(url: string): Promise<void>;
  of(url: string): ServiceStore;
};

export type ServiceStore = {
  path(role: Role, part: 'account' | 'wallet' | 'registration'): string;
  account(role: Role): Promise<Account | null>;
  /** @throws UsageError if there is an account already */
  addAccount(role: Role, account: Account): Promise<void>;
  /** Begins a registration, or continues the one that a crashed process began. */
  registration(role: Role, fresh: Registration): Promise<Registration>;
  forgetRegistration(role: Role): Promise<void>;
  wallet(role: Role): Promise<StoredWallet | null>;
  /** @throws UsageError if there is a wallet already: the file is the only copy of its key */
  addWallet(role: Role, wallet: StoredWallet): Promise<void>;
};

export function openStore(env: Record<string, string | undefined>): Store {
  const folder = configFolder(env);
  const settings = join(folder, 'settings.json');
  return {
    async defaultUrl() {
      return (await readSecretFile<{ url: string }>(settings))?.url;
    },
    async setDefaultUrl(url) {
      await writeSecretFile(settings, { url });
    },
    of: (url) => serviceStore(join(folder, encodeURIComponent(url))),
  };
}

function serviceStore(folder: string): ServiceStore {
  const path = (role: Role, part: string) => join(folder, `${role}-${part}.json`);
  const add = async (role: Role, part: 'account' | 'wallet', value: object) => {
    const added = await writeSecretFile(path(role, part), value, { unlessExists: true });
    if (!added) throw new UsageError(`There is one already. Move this file away first: ${path(role, part)}`);
  };
  const forgetRegistration = (role: Role) => rm(path(role, 'registration'), { force: true });
  return {
    path,
    forgetRegistration,
    account: (role) => readSecretFile(path(role, 'account')),
    async addAccount(role, account) {
      await add(role, 'account', account);
      await forgetRegistration(role);
    },
    async registration(role, fresh) {
      const began = path(role, 'registration');
      if (await writeSecretFile(began, fresh, { unlessExists: true })) return fresh;
      return (await readSecretFile<Registration>(began)) ?? fresh;
    },
    wallet: (role) => readSecretFile(path(role, 'wallet')),
    addWallet: (role, wallet) => add(role, 'wallet', wallet),
  };
}

/** Returns the folder of the command in the system's configuration folder. */
function configFolder(env: Record<string, string | undefined>, platform: string = process.platform): string {
  const { XDG_CONFIG_HOME: xdg, APPDATA: appData } = env;
  if (xdg) return join(xdg, 'concours');
  if (platform === 'win32' && appData) return join(appData, 'concours');
  return join(env['HOME'] ?? homedir(), '.config', 'concours');
}
