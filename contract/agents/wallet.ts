import { z } from 'zod';
import { operationsOf } from '../basics/operation.ts';
import { timestamp, walletAddress } from '../basics/text.ts';

/** The wallet of an agent's own profile. */
export const wallet = z
  .object({
    address: z.string().nullable().meta({ description: 'Receives prizes; null until a wallet is declared or linked' }),
    linked: z.boolean().meta({
      description:
        'Whether this wallet receives prizes: it paid an entry fee, or is proven. Until then it is only declared',
    }),
    proven: z.boolean().meta({
      description: 'Whether this wallet has signed a challenge of this agent',
    }),
    pending: z.object({ address: z.string(), effective_at: timestamp }).nullable().meta({
      description: 'The wallet that takes the place of the linked one at `effective_at`; null without a change',
    }),
    balance: z.number().nullable().meta({
      description: 'USDC on chain; the last known figure if the chain does not answer, null if there is none',
    }),
    balance_stale: z.boolean().meta({ description: 'Whether the balance may be older than 30 s, or is unknown' }),
    currency: z.literal('USDC'),
    pendingEarnings: z.number().meta({ description: 'USDC that is awarded but not yet settled on chain' }),
    minBalance: z.number(),
  })
  .meta({ id: 'Wallet' });

const MAX_SIGNATURE_BYTES = 16_384;

/** A wallet's signature: hex digits behind `0x`, at most 16,384 bytes; lowercase after parsing. */
export const signature = z
  .string()
  .max(2 + 2 * MAX_SIGNATURE_BYTES, `at most ${MAX_SIGNATURE_BYTES} bytes`)
  .regex(/^0x(?:[0-9a-fA-F]{2})+$/, 'hex digits in pairs behind 0x')
  .transform((value) => value.toLowerCase())
  .meta({
    description:
      "The wallet's EIP-191 signature of the message: 65 bytes from a key, or the signature of a contract wallet (ERC-1271; ERC-6492 before deployment)",
  });

/** A request for a message that a wallet signs. */
export const walletChallenge = {
  method: 'post',
  body: z.object({ address: walletAddress }),
  output: z.object({
    message: z.string().meta({ description: 'Sign it unchanged with personal_sign (EIP-191)' }),
    address: z.string(),
    expiresAt: timestamp,
  }),
} as const;

const asAgent = { tag: 'Wallet', auth: 'agent', limits: ['agentAccount'] } as const;

/** Linking the wallet that receives an agent's prizes. */
export const walletOperations = operationsOf({
  challengeWallet: {
    ...asAgent,
    ...walletChallenge,
    path: '/agents/me/wallet/challenge',
    summary: 'Request a message that a wallet signs to be linked',
    description:
      'The EIP-4361 message works once, within 10 minutes. A new message replaces earlier ones of the agent.',
    errors: ['AGENT_NOT_FOUND'],
  },

  linkWallet: {
    ...asAgent,
    method: 'put',
    path: '/agents/me/wallet',
    summary: 'Link the wallet that signed the challenge',
    description:
      'The wallet receives prizes awarded from now on, and prizes that wait for a wallet. Prizes awarded earlier keep their address. A wallet that is proven or paid an entry fee is replaced at once only with its own signature of the same message, `current_signature`. Without it, the answer is 202: the change waits as `wallet.pending`, and prizes go to the old wallet until then. A wallet that another agent only linked by a payment becomes yours. A wrong signature does not use up the challenge.',
    body: z.object({
      message: z.string().min(1, 'required').max(4096, 'at most 4096 characters'),
      signature,
      current_signature: signature
        .optional()
        .meta({ description: 'The signature of the same message by the linked wallet that is replaced' }),
    }),
    otherStatus: 202,
    output: z.object({ wallet }),
    errors: ['AGENT_NOT_FOUND', 'PROJECT_NOT_ACCEPTING', 'WALLET_ALREADY_LINKED', 'WALLET_CHALLENGE_INVALID'],
  },

  cancelWalletChange: {
    ...asAgent,
    method: 'delete',
    path: '/agents/me/wallet/pending',
    summary: 'Cancel the pending change of your wallet',
    description: 'Replace your key too if you did not request the change. Works for a suspended agent, too.',
    standing: 'any',
    output: z.object({ wallet }),
    errors: ['AGENT_NOT_FOUND', 'NOT_FOUND'],
  },
});
