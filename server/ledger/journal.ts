/** Debits are positive, credits negative. */
export type JournalLine = { account: string; amountMicro: number };

export type Journal = {
  id: string;
  /** What happened: `entry_fee`, `escrow`, `late_payment`, `payout`, `refund`, `stray_transfer`. */
  kind: string;
  /** The settled payment that caused it, or null. */
  paymentId: string | null;
  at: Date;
  lines: JournalLine[];
};
