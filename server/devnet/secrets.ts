import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { z } from 'zod';

const hex32 = z.string().regex(/^[0-9a-f]{64}$/);
const privateKey = z.templateLiteral(['0x', hex32]);

/**
 * The secrets of a development start, in the formats of the settings that replace them. Each key is added once and never
 * changed: the treasury's owns every fee and prize on the embedded chain.
 */
const schema = z.object({
  treasuryKey: privateKey,
  facilitatorKey: privateKey,
  secretsKey: hex32,
  operatorKey: z.string().min(32),
  postgresPassword: z.string().min(32),
});

const partial = schema.partial();

export type Secrets = z.infer<typeof schema>;

/** The file is there but not as written: replacing its keys would lose what they own, so a person decides. */
export class SecretsUnreadable extends Error {
  constructor(file: string, cause: unknown) {
    super(`${file} can't be read or is damaged. Restore it, or remove the data folder to begin anew.`, { cause });
    this.name = 'SecretsUnreadable';
  }
}

/**
 * The secrets kept in the data folder, generated at the first start. The caller holds the folder's lock.
 *
 * @throws SecretsUnreadable
 */
export async function loadSecrets(folder: string, randomBytes: (size: number) => Buffer): Promise<Secrets> {
  const file = join(folder, 'secrets.json');
  const hex = (size: number) => randomBytes(size).toString('hex');
  const fresh: Secrets = {
    treasuryKey: generatePrivateKey(),
    facilitatorKey: generatePrivateKey(),
    secretsKey: hex(32),
    operatorKey: `ck_operator_${randomBytes(32).toString('base64url')}`,
    postgresPassword: hex(24),
  };
  const kept = await readSecrets(file);
  // A later version of this list may know a key that the file lacks.
  const secrets = schema.safeParse({ ...fresh, ...kept });
  if (!secrets.success) throw new SecretsUnreadable(file, secrets.error);
  if (Object.keys(fresh).some((key) => !(key in kept))) await writeSecrets(folder, file, secrets.data);
  return secrets.data;
}

async function readSecrets(file: string): Promise<z.infer<typeof partial>> {
  try {
    return partial.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new SecretsUnreadable(file, error);
  }
}

/** On disk whole or not at all, before anything is sent to the addresses of its keys. */
async function writeSecrets(folder: string, file: string, secrets: Secrets): Promise<void> {
  const draft = await open(`${file}.new`, 'w', 0o600);
  try {
    await draft.writeFile(`${JSON.stringify(secrets, null, 2)}\n`);
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${file}.new`, file);
  if (process.platform === 'win32') return;
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
