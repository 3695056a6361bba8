import { Button } from '@mantine/core';
import { FlaskConical, Wallet as WalletIcon } from 'lucide-react';
import { useNetwork } from '../api/public.ts';
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
  busy: string | null;
  disabled?: boolean;
  onPick: (wallet: Wallet) => void;
};

export function WalletPicker({ busy, disabled = false, onPick }: WalletPickerProps) {
  const wallets = useOfferedWallets();
  if (wallets.length === 0) return <NoWallet />;
  return (
    <ul className="stack">
      {wallets.map((wallet) => (
        <li key={wallet.id}>
          <Button
            variant="default"
            fullWidth
            justify="flex-start"
            size="lg"
            leftSection={<Icon wallet={wallet} />}
            loading={busy === wallet.id}
            disabled={disabled || (busy !== null && busy !== wallet.id)}
            onClick={() => onPick(wallet)}
          >
            {wallet.name}
          </Button>
          {wallet.test ? <p className="soft small">{text.testHint}</p> : null}
        </li>
      ))}
    </ul>
  );
}

function Icon({ wallet }: { wallet: Wallet }) {
  if (wallet.icon) return <img src={wallet.icon} alt="" width={28} height={28} className={classes.icon} />;
  return wallet.test ? <FlaskConical size={22} aria-hidden="true" /> : <WalletIcon size={22} aria-hidden="true" />;
}
