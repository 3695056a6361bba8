import { microOf, type Usdc } from '../../sdk/src/index.ts';
import type { Context } from './context.ts';
import { NotPaid } from './exit-codes.ts';
import { usdc, oneLine } from './output/printable.ts';

type Payment = {
  /** The question without its question mark, such as `Pay 0.25 USDC to enter "A lighthouse"`. */
  question: string;
  amountMicro: number;
  cap: Usdc | undefined;
  /** The name of the option for the cap. */
  capOption: string;
};

/**
 * Returns the shown price after it was confirmed. A person confirms at the terminal; a script passes `--yes` and a cap.
 *
 * @throws NotPaid
 */
export async function approve(context: Context, payment: Payment): Promise<number> {
  const { amountMicro, cap, capOption, question } = payment;
  if (amountMicro === 0) return 0;
  const price = `${usdc(amountMicro)} USDC`;
  if (cap !== undefined && amountMicro > microOf(cap, capOption))
    throw new NotPaid(`The price is ${price}, more than ${capOption} ${cap}. Nothing was paid.`);
  if (cap === undefined && (context.options.yes || !context.io.ask))
    throw new NotPaid(`The price is ${price}. Pass ${capOption} with the most that you pay. Nothing was paid.`);
  await confirm(context, question);
  return amountMicro / 1e6;
}

/** Asks the person at the terminal, unless `--yes` is given. @throws NotPaid */
export async function confirm({ io, options }: Context, question: string): Promise<void> {
  if (options.yes) return;
  if (!io.ask) throw new NotPaid('Nobody can confirm this without a terminal. Pass --yes. Nothing was done.');
  const answer = await io.ask(`${oneLine(question)}? [y/N] `);
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new NotPaid('Not confirmed. Nothing was done.');
}
