import { Button } from '@mantine/core';
import { FlaskConical, Wallet as WalletIcon } from 'lucide-react';
import { useState } from 'react';
import { useNetwork } from '../api/public.ts';
import { Failure, useWork } from '../components/public.ts';
import { walletText as text } from '../messages/public.ts';
import { NoWallet } from './no-wallet.tsx';
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
