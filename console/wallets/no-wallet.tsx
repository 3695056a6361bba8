import { networkName, useNetwork } from '../api/public.ts';
import { messages, walletText } from '../messages/public.ts';
import classes from './wallet-picker.module.css';

const text = walletText.none;

/** Links that open this page in the browser of a wallet app. */
const APPS: readonly [name: string, link: (page: URL) => string][] = [
  ['MetaMask', ({ host, pathname, search }) => `https://metamask.app.link/dapp/${host}${pathname}${search}`],
  ['Coinbase Wallet', ({ href }) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(href)}`],
  ['Trust Wallet', ({ href }) => `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(href)}`],
];

/** Says what a wallet and USDC are, and how to get both, in a browser that has no wallet. */
export function NoWallet() {
  const network = useNetwork();
  // Until the network is known, there may be a test wallet.
  if (!network) return null;
  const page = new URL(location.href);
  const isPhone = matchMedia('(pointer: coarse)').matches;
  return (
    <div className="stack">
      <p>
        <strong>{text.title}</strong> {text.text}
      </p>
      <p>{isPhone ? text.phone : text.how}</p>
      {isPhone ? (
        <ul className={`stack ${classes.apps}`}>
          {APPS.map(([name, link]) => (
            <li key={name}>
              <a href={link(page)}>{text.open({ name })}</a>
            </li>
          ))}
        </ul>
      ) : null}
      <p>
        <strong>{text.usdcTitle}</strong> {text.usdc({ network: networkName(network) })}
      </p>
      <p>
        <a href="/docs/money#get-a-wallet-and-usdc">{messages.footer.money}</a>
      </p>
    </div>
  );
}
