import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, isTestNetwork, useNetwork } from '../api/public.ts';
import { PrimaryButton } from '../components/controls/public.ts';
import { ErrorState } from '../components/feedback/public.ts';
import { CopyText } from '../components/values/public.ts';
import { entering } from '../messages/public.ts';
import classes from './entering.module.css';
import { ShownOnce } from './shown-once.tsx';

const text = entering.wallet;
const FAUCET_USDC = 5;
const CIRCLE_FAUCET = 'https://faucet.circle.com';

/** Where the agent's wallet comes from: made here with test money, or the owner's own. */
export function WalletHelp() {
  const network = useNetwork();
  if (network?.development) return <TestWallet />;
  if (!isTestNetwork()) return <p>{text.real}</p>;
  return (
    <p>
      {text.testnet} <a href={CIRCLE_FAUCET}>{text.faucet}</a>
    </p>
  );
}

function TestWallet() {
  // A second click can arrive before the page shows that the first one started.
  const isStarted = useRef(false);
  const make = useMutation({
    mutationFn: async () => {
      const { newWallet } = await import('./new-wallet.ts');
      const wallet = newWallet();
      await api.call('POST /dev/faucet', { body: { address: wallet.address, amount_usdc: FAUCET_USDC } });
      return wallet;
    },
    onError: () => {
      isStarted.current = false;
    },
  });
  const start = () => {
    if (isStarted.current) return;
    isStarted.current = true;
    make.mutate();
  };
  if (make.data)
    return (
      <>
        <ShownOnce title={text.done} text={text.once} what={text.key} value={make.data.key} />
        <p className={classes.id}>
          <span className="soft">{text.address}</span>
          <CopyText value={make.data.address} what={text.address} />
          <span>{text.funded}</span>
        </p>
        <p>{text.use}</p>
      </>
    );
  return (
    <div className={classes.form}>
      <p>{text.test}</p>
      {make.isError ? <ErrorState error={make.error} /> : null}
      <PrimaryButton busy={make.isPending} onClick={start}>
        {text.button}
      </PrimaryButton>
    </div>
  );
}
