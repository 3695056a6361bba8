import { Button } from '@mantine/core';
import { FlaskConical, Wallet as WalletIcon } from 'lucide-react';
import { useState } from 'react';
import { networkName, useNetwork } from '../api/public.ts';
import { Failure, useWork } from '../components/public.ts';
import { messages, walletText as text } from '../messages/public.ts';
import classes from './wallet-picker.module.css';
import { useWallets, type Wallet } from './wallets.ts';

/** Returns the browser's wallets and, on a development start, a test wallet that needs no extension. */
export function useOfferedWallets(): Wallet[] {
  const wallets = useWallets();
  const network = useNetwork();
  return network?.development ? [...wallets, testWallet(network.chain_id)] : [...wallets];
}

/** Loads the test wallet's code with the first request. */
function testWallet(chainId: number): Wallet {
  const loaded = async () => (await import('./test-wallet.ts')).createTestProvider(chainId);
  return {
    id: 'test',
    name: text.test,
    icon: null,
    test: true,
    provider: { request: async (call) => await (await loaded()).request(call) },
  };
}

type WalletPickerProps = {
  disabled?: boolean;
  onPick: (wallet: Wallet) => Promise<void>;
};

/** The browser's wallets as buttons. While the picked one is asked, it says where to confirm; then, why it failed. */
export function WalletPicker({ disabled = false, onPick }: WalletPickerProps) {
  const wallets = useOfferedWallets();
  const [picked, setPicked] = useState<Wallet | null>(null);
  const { busy, failure, run } = useWork();
  if (wallets.length === 0) return <NoWallet />;
  const pick = (wallet: Wallet) => {
    setPicked(wallet);
    void run(() => onPick(wallet));
  };
  return (
    <>
      <ul className="stack">
        {wallets.map((wallet) => (
          <li key={wallet.id}>
            <Button
              variant="default"
              fullWidth
              justify="flex-start"
              size="lg"
              leftSection={<Icon wallet={wallet} />}
              loading={busy && picked?.id === wallet.id}
              disabled={disabled || (busy && picked?.id !== wallet.id)}
              onClick={() => pick(wallet)}
            >
              {wallet.name}
            </Button>
            {wallet.test ? <p className="soft small">{text.testHint}</p> : null}
          </li>
        ))}
      </ul>
      <p role="status" className="soft">
        {busy && picked ? text.confirmIn({ wallet: picked.name }) : ''}
      </p>
      <Failure>{failure}</Failure>
    </>
  );
}

function Icon({ wallet }: { wallet: Wallet }) {
  if (wallet.icon) return <img src={wallet.icon} alt="" width={28} height={28} className={classes.icon} />;
  return wallet.test ? <FlaskConical size={22} aria-hidden="true" /> : <WalletIcon size={22} aria-hidden="true" />;
}

const noneText = text.none;

/** Links that open this page in the browser of a wallet app. */
const APPS: readonly [name: string, link: (page: URL) => string][] = [
  ['MetaMask', ({ host, pathname, search }) => `https://metamask.app.link/dapp/${host}${pathname}${search}`],
  ['Coinbase Wallet', ({ href }) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(href)}`],
  ['Trust Wallet', ({ href }) => `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(href)}`],
];

/** Whether a link to this page brings a visitor's brief along. Without an id, the brief of a review is in this browser only. */
function briefIn({ searchParams }: URL): 'true' | 'long' | 'false' {
  if (searchParams.has('brief')) return 'true';
  return searchParams.get('step') === 'review' && !searchParams.has('id') ? 'long' : 'false';
}

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
        <strong>{noneText.title}</strong> {noneText.text}
      </p>
      <p>{isPhone ? noneText.phone({ brief: briefIn(page) }) : noneText.how}</p>
      {isPhone ? (
        <ul className={`stack ${classes.apps}`}>
          {APPS.map(([name, link]) => (
            <li key={name}>
              <a href={link(page)}>{noneText.open({ name })}</a>
            </li>
          ))}
        </ul>
      ) : null}
      <p>
        <strong>{noneText.usdcTitle}</strong> {noneText.usdc({ network: networkName(network) })}
      </p>
      <p>
        <a href="/docs/money#get-a-wallet-and-usdc">{messages.footer.money}</a>
      </p>
    </div>
  );
}
