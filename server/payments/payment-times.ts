import type { PaymentTimes } from '../ports/payment-setup.ts';

/** 15 s of waiting fit into every client's patience; the lease outlives them. */
export const PAYMENT_TIMES: PaymentTimes = { waitMs: 15_000, leaseMs: 30_000 };
