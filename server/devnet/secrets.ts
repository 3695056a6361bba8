import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { z } from 'zod';
import { CannotRun } from '../cannot-run.ts';

const hex32 = z.string().regex(/^[0-9a-f]{64}$/);
const privateKey = z.templateLiteral(['0x', hex32]);

/**
 * The secrets of a development start, in the formats of the settings that replace them. A key is generated once and never
 * changes: the treasury's key owns every fee and prize on the embedded chain.
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

/** New keys would lose what the old ones own, so a person has to decide. */
const unreadable = (file: string, cause: unknown): CannotRun =>
  new CannotRun(
    `${file} cannot be read or is damaged. Restore it, or remove the data folder to start with empty data.`,
    { cause },
  );

/**
 * Reads the secrets in the data folder, and generates missing ones. The caller holds the folder's lock.
 *
 * @throws CannotRun for a damaged file
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
  // A later version may add a key that the file lacks.
  const secrets = schema.safeParse({ ...fresh, ...kept });
  if (!secrets.success) throw unreadable(file, secrets.error);
  if (Object.keys(fresh).some((key) => !(key in kept))) await writeSecrets(folder, file, secrets.data);
  return secrets.data;
}

async function readSecrets(file: string): Promise<z.infer<typeof partial>> {
  try {
    return partial.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw unreadable(file, error);
  }
}

/** Writes the file whole or not at all, and to disk, before any money reaches the addresses of its keys. */
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
