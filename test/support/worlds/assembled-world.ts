import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../../server/config.ts';
import { askDatabase, createBreaker } from '../../../server/db/breaker.ts';
import { createReadPool } from '../../../server/db/pool.ts';
import { derivedKey } from '../../../server/sealing.ts';
import { createAnswerSeals } from '../../../server/idempotency/seals.ts';
import { createEvmChain } from '../../../server/chain/evm-chain.ts';
import { createInProcessFacilitator } from '../../../server/x402/in-process-facilitator.ts';
import { networks } from '../../../server/chain/networks.ts';
import { createSigning } from '../../../server/signing/signing.ts';
import { createTreasury } from '../../../server/x402/treasury.ts';
import { createDiskStorage, type DiskStorage } from '../../../server/storage/disk.ts';
import { createDecoders, createPictureTurns } from '../../../server/pictures/decoders.ts';
import { createMediaUrls } from '../../../server/pictures/urls/media-urls.ts';
import { createOriginalUrls } from '../../../server/pictures/urls/original-urls.ts';
import { createMailTokens } from '../../../server/mail/mail-tokens.ts';
import { createSendMail } from '../../../server/mail/create-send-mail.ts';
import { createWebhookSecrets } from '../../../server/webhooks/secrets.ts';
import { createWebhookClient } from '../../../server/webhooks/webhook-client.ts';
import type { Db } from '../../../server/db/database.ts';
import { createOpenAiClient } from '../../../server/judging/public.ts';
import type { World } from '../../../server/deps.ts';

export type Pieces = {
  config: Config;
  db: Db;
  databaseUrl: string;
  clock: { now(): Date };
  log: Logger;
  /** The folder of the disk storage. */
  folder: string;
  url: string;
  rpcUrl: string;
  facilitatorKey: `0x${string}`;
  treasuryKey: `0x${string}`;
  /** The key for upload URLs, picture URLs, and webhook secrets. Processes that serve each other's URLs share it. */
  uploadSigningKey: Buffer;
  mintUsdc?: (address: string, amountMicro: number) => Promise<unknown>;
};

// All worlds of a process share these decoders, which start at their first picture and end with the process.
const { inspectImage, renderCopies } = createDecoders();

export type Assembled = { world: World; storage: DiskStorage; close(): Promise<void> };

/** Builds a world of real parts as `main.ts` does, so that tests can place faults between them. */
export async function assemble(pieces: Pieces): Promise<Assembled> {
  const { config, db, clock, log, url, rpcUrl, facilitatorKey: key, mintUsdc } = pieces;
  const network = networks['eip155:84532'];
  const storage = await createDiskStorage({
    folder: join(pieces.folder, 'storage'),
    publicUrl: url,
    signingKey: pieces.uploadSigningKey,
    clock,
  });
  const reads = createReadPool({ url: pieces.databaseUrl, connections: 4 });
  const breaker = createBreaker(askDatabase(pieces.databaseUrl), log);
  const webhooks = createWebhookClient({ development: config.development, clock });
  const treasury = createTreasury(pieces.treasuryKey);
  const world: World = {
    config,
    db,
    reads,
    anonymous: null,
    breaker,
    clock,
    newId: () => randomUUIDv7(),
    randomBytes: (size) => randomBytes(size),
    storage,
    chain: createEvmChain({ rpcUrl, network, log }),
    facilitator: createInProcessFacilitator({
      rpcUrl,
      network,
      keys: [key],
      db,
      holder: randomUUIDv7(),
      log,
      pollMs: 10,
    }),
    network,
    treasury,
    payTo: treasury.address,
    ai: config.ai ? createOpenAiClient(config.ai, { randomBytes }) : null,
    inspectImage,
    pictureTurns: createPictureTurns(),
    renderCopies,
    mediaUrls: createMediaUrls({ publicUrl: url, signingKey: pieces.uploadSigningKey, clock }),
    originalUrls: createOriginalUrls({
      publicUrl: url,
      signingKey: derivedKey(pieces.uploadSigningKey.toString('hex'), 'original URLs'),
      clock,
    }),
    webhookSecrets: createWebhookSecrets({ key: pieces.uploadSigningKey, randomBytes }),
    paymentSeals: createAnswerSeals({
      key: derivedKey(pieces.uploadSigningKey.toString('hex'), 'payment signatures'),
      randomBytes,
    }),
    answerSeals: createAnswerSeals({ key: pieces.uploadSigningKey, randomBytes }),
    signing: createSigning({
      secretsKey: pieces.uploadSigningKey.toString('hex'),
      earlierKeys: config.signingKeysAccepted,
      publicUrl: url,
    }),
    sendMail: await createSendMail(config.mail),
    mailTokens: createMailTokens({ key: derivedKey(pieces.uploadSigningKey.toString('hex'), 'links in emails') }),
    deliverWebhook: webhooks.deliver,
    webhookTarget: webhooks.targetOf,
    publicUrl: url,
    faucet: mintUsdc ? async (address, amountMicro) => void (await mintUsdc(address, amountMicro)) : null,
    developmentRpcUrl: rpcUrl,
    log,
  };
  const close = async () => {
    webhooks.close();
    breaker.stop();
    await reads.end({ timeout: 1 });
  };
  return { world, storage, close };
}
