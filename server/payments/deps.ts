import type { Deps } from '../deps.ts';
import type { PaymentSetup } from '../ports/payment-setup.ts';

/** What the machine needs of the world: any `Context` has it. */
export type PaymentDeps = Pick<
  Deps,
  'db' | 'clock' | 'newId' | 'chain' | 'facilitator' | 'treasury' | 'paymentSeals' | 'balances' | 'log'
> & {
  payments: PaymentSetup;
};
