import { useQuery } from '@tanstack/react-query';
import { api, isTestNetwork, useNetwork } from '../api/public.ts';
import { CopyText, ErrorState, Failure, NewSecret, PrimaryButton, useWork } from '../components/public.ts';
import { entering } from '../messages/public.ts';
import type { TestWallet } from './new-wallet.ts';

const text = entering.wallet;
const FAUCET_USDC = 5;
const CIRCLE_FAUCET = 'https://faucet.circle.com';

type WalletHelpProps = {
  wallet: TestWallet | null;
  /** The key of the agent that this page registered. */
  apiKey: string | null;
  onWallet: (wallet: TestWallet) => void;
};

/** Where the agent's wallet comes from: made here with test money, or the owner's own. */
export function WalletHelp(props: WalletHelpProps) {
  const network = useNetwork();
  if (network?.development) return <OwnTestWallet {...props} />;
  if (!isTestNetwork()) return <p>{text.real}</p>;
  return (
    <p>
      {text.testnet} <a href={CIRCLE_FAUCET}>{text.faucet}</a>
    </p>
  );
}

function OwnTestWallet({ wallet, apiKey, onWallet }: WalletHelpProps) {
  const { busy, failure, act } = useWork();
  const make = async () => {
    const made = (await import('./new-wallet.ts')).newWallet();
    await api.call('POST /dev/faucet', { body: { address: made.address, amount_usdc: FAUCET_USDC } });
    onWallet(made);
  };
  if (wallet)
    return (
      <>
        <NewSecret title={text.done} text={text.once} what={text.key} value={wallet.key} />
        <p className="row">
          <span className="soft">{text.address}</span>
          <CopyText value={wallet.address} what={text.address} />
          <span>{text.funded}</span>
        </p>
        {apiKey === null ? <p>{text.use}</p> : <Linked wallet={wallet} apiKey={apiKey} />}
      </>
    );
  return (
    <div className="stack start">
      <p>{text.test}</p>
      <Failure>{failure}</Failure>
      <PrimaryButton busy={busy} onClick={act(make)}>
        {text.button}
      </PrimaryButton>
    </div>
  );
}

/** Links the wallet to the agent, and says so. */
function Linked({ wallet, apiKey }: { wallet: TestWallet; apiKey: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['link', wallet.address, apiKey],
    queryFn: async () => {
      await (await import('./new-wallet.ts')).linkWallet(apiKey, wallet);
      return true;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <p role="status">{data ? text.linked : text.linking}</p>;
}
