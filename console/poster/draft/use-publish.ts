import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, type Network } from '../../api/public.ts';
import { describeError, InputError } from '../../components/public.ts';
import { poster } from '../../messages/public.ts';
import { connect, switchChain, type Wallet, WalletError } from '../../wallets/public.ts';
import { loadItem, removeItem, storeItem } from '../account/browser-storage.ts';
import { type OwnProject, useShowProject } from '../account/own-projects.ts';
import { posterApi, rememberWallet } from '../account/poster-session.ts';

export type PublishStep = 'idle' | 'asking' | 'signing' | 'settling' | 'open';

export type Publishing = {
  step: PublishStep;
  /** The page finishes a payment that was signed before it was opened. */
  resumed: boolean;
  /** The outcome is not known yet. `held`: the service has the payment and completes it, even if this page is closed. */
  pending: 'unknown' | 'held' | null;
  /** Why publishing failed. */
  failure: string | null;
};

type Outcome =
  | { kind: 'open'; project: OwnProject }
  | { kind: 'required'; headers: Headers }
  | { kind: 'unknown'; pending: 'unknown' | 'held'; afterMs: number }
  /** `final`: the signed payment cannot succeed any more. */
  | { kind: 'failed'; why: string; final: boolean };

type Payment = Record<string, string>;
/** `isOver`: the page is closed. */
type Work = { id: string; report: (changed: Partial<Publishing>) => void; isOver: () => boolean };

const IDLE: Publishing = { step: 'idle', resumed: false, pending: null, failure: null };
const ASK_AGAIN_MS = 3_000;

const paymentName = (id: string) => `payment:${id}`;

/** Whether this browser has a signed payment whose outcome is unknown. */
export const hasSignedPayment = (id: string): boolean => loadItem(paymentName(id)) !== null;

/**
 * Publishes a draft with one payment. The signed payment is stored until its outcome is known: after a closed tab, the
 * page presents the same payment again. The service accepts it once.
 */
export function usePublish(project: OwnProject, network: Network | undefined) {
  const { id } = project;
  const show = useShowProject();
  const [publishing, setPublishing] = useState<Publishing>(IDLE);
  const isUnmounted = useRef(false);
  const busy = useRef(false);

  const begin = useCallback(
    async (run: (work: Work) => Promise<Outcome>, start: Partial<Publishing>) => {
      if (busy.current) return;
      busy.current = true;
      const report: Work['report'] = (changed) => {
        if (!isUnmounted.current) setPublishing((before) => ({ ...before, ...changed }));
      };
      report({ ...IDLE, ...start });
      const work = { id, report, isOver: () => isUnmounted.current };
      const outcome = await run(work).catch((error: unknown) => failureOf(error));
      busy.current = false;
      if (outcome.kind === 'open') {
        report({ step: 'open', pending: null });
        show(outcome.project);
      } else report({ ...IDLE, failure: outcome.kind === 'failed' ? outcome.why : null });
    },
    [show, id],
  );

  useEffect(() => {
    isUnmounted.current = false;
    const payment = loadItem(paymentName(id)) as Payment | null;
    if (payment) void begin((work) => present(work, payment), { step: 'settling', resumed: true });
    return () => {
      isUnmounted.current = true;
    };
  }, [id, begin]);

  const publish = (wallet: Wallet) => {
    if (network) void begin((work) => pay(work, { wallet, network, shown: project, show }), { step: 'asking' });
  };
  /** Removes the reason of a failure that no longer applies. */
  const clearFailure = () => setPublishing((before) => ({ ...before, failure: null }));
  return { publishing, publish, clearFailure };
}

type Order = { wallet: Wallet; network: Network; shown: OwnProject; show: (project: OwnProject) => void };

/** Pays for the draft as the page shows it: another window or a program may have changed it. */
async function pay(work: Work, { wallet, network, shown, show }: Order): Promise<Outcome> {
  const first = await presentUntilKnown(work, {});
  if (first.kind !== 'required') return first;
  work.report({ step: 'signing', pending: null });
  const [{ signPayment }, address] = await Promise.all([import('./payment.ts'), connect(wallet)]);
  await switchChain(wallet, { chainId: network.chain_id, rpcUrl: network.rpc_url ?? null });
  const params = { project_id: work.id };
  const { project } = await posterApi.call('GET /posters/me/projects/{project_id}', { params });
  show(project);
  if (project.updated_at !== shown.updated_at) throw new InputError(poster.publish.changed);
  const payment = await signPayment(wallet, address, first.headers, shown.prize_amount_micro);
  rememberWallet(wallet);
  storeItem(paymentName(work.id), payment);
  work.report({ step: 'settling' });
  return await present(work, payment);
}

/** Presents a signed payment until its outcome is known, then removes it from the storage. */
async function present(work: Work, payment: Payment): Promise<Outcome> {
  const outcome = await presentUntilKnown(work, payment);
  if (work.isOver() || (outcome.kind === 'failed' && !outcome.final)) return outcome;
  removeItem(paymentName(work.id));
  return outcome.kind === 'required' ? { kind: 'failed', why: poster.publish.expired, final: true } : outcome;
}

async function presentUntilKnown({ id, report, isOver }: Work, payment: Payment): Promise<Outcome> {
  for (;;) {
    const outcome = await attempt(id, payment);
    if (outcome.kind !== 'unknown' || isOver()) return outcome;
    report({ pending: outcome.pending });
    await new Promise((resolve) => setTimeout(resolve, outcome.afterMs));
  }
}

async function attempt(id: string, payment: Payment): Promise<Outcome> {
  const route = 'POST /posters/me/projects/{project_id}/publish';
  try {
    const { project } = await posterApi.call(route, { params: { project_id: id }, headers: payment });
    return { kind: 'open', project };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const afterMs = Math.max(ASK_AGAIN_MS, (error.retryAfter ?? 0) * 1000);
    if (error.code === 'PAYMENT_REQUIRED') return { kind: 'required', headers: error.headers };
    if (error.code === 'PAYMENT_FAILED')
      return { kind: 'failed', why: poster.publish.failed({ why: error.message }), final: true };
    if (error.code === 'PAYMENT_PENDING') return { kind: 'unknown', pending: 'held', afterMs };
    // After a payment was sent, a missing response leaves the outcome unknown.
    const hasPaid = Object.keys(payment).length > 0;
    const isPassing = error.code === 'OFFLINE' || error.status === 429 || error.status >= 500;
    return hasPaid && isPassing
      ? { kind: 'unknown', pending: 'unknown', afterMs }
      : { kind: 'failed', why: describeError(error).text, final: error.status !== 401 };
  }
}

function failureOf(error: unknown): Outcome {
  if (error instanceof InputError) return { kind: 'failed', why: error.message, final: true };
  if (!(error instanceof WalletError)) return { kind: 'failed', why: describeError(error).text, final: true };
  return { kind: 'failed', final: true, why: error.refused ? poster.publish.refused : poster.publish.walletFailed };
}
