import { DomainError, validationError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { sessionOperations } from '../../contract/sessions.ts';
import type { PublicCaller } from '../callers.ts';
import { withTransaction } from '../db/public.ts';
import type { Context, Deps } from '../deps.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { messageProblem, newWalletMessage, nonceOf, type WalletMessage } from './wallet-message.ts';

/** What the signature of a wallet is for: a sign-in, or the link to an agent. */
export type Purpose = 'agent' | 'poster' | `link:${string}`;

/** The request that returns new challenges of a purpose. */
const PATHS = {
  agent: '/posters/session/challenge with "as": "agent"',
  poster: '/posters/session/challenge',
  link: '/agents/me/wallet/challenge',
};
const pathOf = (purpose: Purpose) => PATHS[purpose.startsWith('link:') ? 'link' : (purpose as 'agent' | 'poster')];

// Each new challenge deletes up to 100 expired ones, so the table cannot grow with expired rows.
const EXPIRED_AT_ONCE = 100;

/**
 * Stores a message (EIP-4361) whose signature proves control of a wallet, once and for 10 minutes. Earlier challenges stay
 * valid, because anybody can ask for any wallet; an agent has one challenge for a link.
 */
export async function createChallenge(
  ctx: Pick<Deps, 'db' | 'clock' | 'randomBytes' | 'publicUrl' | 'network'>,
  { purpose, address, statement }: { purpose: Purpose; address: string; statement: string },
): Promise<{ message: string; address: string; expiresAt: Date }> {
  const challenge = newWalletMessage(ctx, { address, statement });
  const { nonce, message, createdAt, expiresAt } = challenge;
  const isLink = purpose.startsWith('link:');
  await withTransaction(ctx.db, async (tx) => {
    await Promise.all([
      // Sent first: challenges for one link are created one after the other.
      isLink ? tx`select pg_advisory_xact_lock(hashtextextended(${`challenges:${purpose}`}, 0))` : null,
      // Index wallet_challenges_purpose.
      isLink ? tx`delete from wallet_challenges where purpose = ${purpose}` : null,
      // Index wallet_challenges_expiry.
      tx`
        delete from wallet_challenges where nonce in (
          select nonce from wallet_challenges where expires_at <= ${createdAt}
          order by expires_at limit ${EXPIRED_AT_ONCE} for update skip locked)`,
      tx`
        insert into wallet_challenges (nonce, purpose, address, message, created_at, expires_at)
        values (${nonce}, ${purpose}, ${address}, ${message}, ${createdAt}, ${expiresAt})`,
    ]);
  });
  return { message, address, expiresAt };
}

type Operation = typeof sessionOperations.challengeSession;

/** Returns an EIP-4361 message whose signature signs a wallet in. It does not tell whether an account has the wallet. */
export async function challengeSession(
  ctx: Context<PublicCaller>,
  { body: { address, as: purpose } }: Input<Operation>,
): Promise<Output<Operation>> {
  const signer = purpose === 'agent' ? 'the owner of an agent' : 'a poster';
  const statement = `Sign in to ${ctx.config.serviceName} as ${signer}.`;
  return await createChallenge(ctx, { purpose, address, statement });
}

async function findChallenge(db: Queryable, purpose: Purpose, nonce: string): Promise<WalletMessage | null> {
  const [row] = await db<WalletMessage[]>`
    select nonce, address, message, created_at as "createdAt", expires_at as "expiresAt"
    from wallet_challenges where nonce = ${nonce} and purpose = ${purpose}`;
  return row ?? null;
}

type ChainDeps = Pick<Deps, 'db' | 'clock' | 'publicUrl' | 'network' | 'chain'>;

/**
 * Returns the stored challenge if the wallet has signed it. The caller uses it up in its transaction; a wrong signature does
 * not. The error for an unknown challenge, or one of another purpose, reveals nothing about it.
 *
 * A contract wallet is verified over the network, so call this outside of transactions.
 *
 * @throws DomainError VALIDATION_ERROR or WALLET_CHALLENGE_INVALID
 */
export async function requireSignedChallenge(
  deps: ChainDeps,
  { purpose, message, signature }: { purpose: Purpose; message: string; signature: string },
): Promise<WalletMessage> {
  const path = pathOf(purpose);
  const nonce = nonceOf(message);
  if (nonce === null) throw validationError([{ field: 'message', message: `must be a message from POST ${path}` }]);
  const challenge = await findChallenge(deps.db, purpose, nonce);
  if (!challenge || challenge.message !== message) throw unknownChallenge(purpose);
  const problem = messageProblem(deps, message);
  if (problem !== null) throw invalidChallenge(`${problem} Request a new one: POST ${path}.`);
  await requireSignature(deps, { address: challenge.address, message, signature });
  return challenge;
}

/** @throws DomainError WALLET_CHALLENGE_INVALID */
export async function requireSignature(
  { chain }: Pick<Deps, 'chain'>,
  signed: { address: string; message: string; signature: string },
): Promise<void> {
  if (await chain.verifyMessage(signed)) return;
  throw invalidChallenge(`The signature is not valid for this message and the wallet ${signed.address}.`);
}

/** Uses a challenge up. @throws DomainError WALLET_CHALLENGE_INVALID if it was used, replaced, or expired in the meantime */
export async function useChallenge(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  purpose: Purpose,
  { nonce, expiresAt }: WalletMessage,
): Promise<void> {
  if (clock.now() >= expiresAt) throw unknownChallenge(purpose);
  const { count } = await tx`delete from wallet_challenges where nonce = ${nonce} and purpose = ${purpose}`;
  if (count === 0) throw unknownChallenge(purpose);
}

function unknownChallenge(purpose: Purpose): DomainError {
  return invalidChallenge(`This challenge is unknown or was already used. Request a new one: POST ${pathOf(purpose)}.`);
}

function invalidChallenge(message: string): DomainError {
  return new DomainError('WALLET_CHALLENGE_INVALID', message);
}
