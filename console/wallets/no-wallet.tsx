import { useNetwork } from '../api/public.ts';
import { messages, walletText } from '../messages/public.ts';
import classes from './wallet-picker.module.css';

const text = walletText.none;

/** Says what a wallet is, and how to get one, in a browser that has none. */
export function NoWallet() {
  // Until the network is known, there may be a test wallet.
  if (!useNetwork()) return null;
  return (
    <div className={classes.none}>
      <p>
        <strong>{text.title}</strong>
      </p>
      <p>{text.text}</p>
      <p>{text.how}</p>
      <p>
        <a href="/docs/money#get-a-wallet-and-usdc">{messages.footer.money}</a>
      </p>
    </div>
  );
}
