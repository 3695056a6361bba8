import { Button, NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import { api, useNetwork } from '../../api/public.ts';
import { Failure, type Step, Steps, Panel, useWork } from '../../components/public.ts';
import { microOf, shortUsdc, usdc } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import { connect, NoWallet, useOfferedWallets, type Wallet } from '../../wallets/public.ts';
import type { OwnProject } from '../account/own-projects.ts';
import { rememberedWallet } from '../account/poster-session.ts';
import { type Publishing, type PublishStep, usePublish } from './use-publish.ts';

const text = poster.publish;

type PublishPanelProps = {
  project: OwnProject;
  /** Called with true while a payment runs: the draft must not change then. */
  onPaying: (paying: boolean) => void;
};

/** Publishes the draft: wallet, payment, progress. */
export function PublishPanel({ project, onPaying }: PublishPanelProps) {
  const network = useNetwork();
  const wallets = useOfferedWallets();
  const [chosen, setChosen] = useState<string | null>(null);
  const wallet =
    wallets.find(({ id }) => id === chosen) ?? wallets.find(({ name }) => name === rememberedWallet()) ?? wallets[0];
  const { publishing, publish, clearFailure } = usePublish(project, network);

  const amount = usdc(project.prize_amount_micro);
  const isBusy = publishing.step !== 'idle';
  useEffect(() => onPaying(isBusy), [isBusy, onPaying]);
  return (
    <Panel id="publish" title={text.title}>
      {isBusy ? (
        <Progress publishing={publishing} />
      ) : (
        <>
          <p>{text.what({ amount })}</p>
          <WalletChoice wallets={wallets} wallet={wallet} onChoose={setChosen} />
          {network?.development && wallet ? (
            <Faucet wallet={wallet} amountUsdc={project.prize_amount_micro / 1e6} onFilled={clearFailure} />
          ) : null}
          <Failure>{publishing.failure}</Failure>
          <Button fullWidth disabled={!wallet || !network} onClick={() => (wallet ? publish(wallet) : undefined)}>
            {text.button({ amount })}
          </Button>
        </>
      )}
    </Panel>
  );
}

type WalletChoiceProps = {
  wallets: readonly Wallet[];
  wallet: Wallet | undefined;
  onChoose: (id: string) => void;
};

function WalletChoice({ wallets, wallet, onChoose }: WalletChoiceProps) {
  if (!wallet) return <NoWallet />;
  if (wallets.length < 2) return null;
  return (
    <NativeSelect
      label={text.wallet}
      value={wallet.id}
      onChange={(event) => onChoose(event.currentTarget.value)}
      data={wallets.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

const STEPS: readonly Exclude<PublishStep, 'idle'>[] = ['asking', 'signing', 'settling', 'open'];

function Progress({ publishing: { step, resumed, pending } }: { publishing: Publishing }) {
  const at = STEPS.indexOf(step as (typeof STEPS)[number]);
  const steps = STEPS.map((each, index): Step => {
    const isDone = index < at || step === 'open';
    return { label: text.steps[each], state: isDone ? 'done' : index === at ? 'now' : 'later' };
  });
  return (
    <div className="stack">
      <p role="status" className="only-read">
        {step === 'idle' ? '' : text.steps[step]}
      </p>
      <Steps steps={steps} />
      {resumed ? <p className="soft small">{text.resuming}</p> : null}
      {pending ? <p className="soft small">{text.pending}</p> : null}
      {pending === 'held' ? <p className="soft small">{text.keepOpen}</p> : null}
    </div>
  );
}

/** Sends test USDC to the wallet: enough for this prize. Test networks only. */
function Faucet({ wallet, amountUsdc, onFilled }: { wallet: Wallet; amountUsdc: number; onFilled: () => void }) {
  const { busy, failure, act } = useWork();
  const [message, setMessage] = useState('');
  const amount = shortUsdc(microOf(amountUsdc));
  const fill = async () => {
    setMessage('');
    const address = await connect(wallet);
    await api.call('POST /dev/faucet', { body: { address, amount_usdc: amountUsdc } });
    setMessage(text.faucetDone({ amount }));
    onFilled();
  };
  return (
    <div className="stack start tight">
      <Button variant="default" loading={busy} onClick={act(fill)}>
        {text.faucet({ amount })}
      </Button>
      <p className="soft small">{text.faucetHint}</p>
      <p role="status">{failure ?? message}</p>
    </div>
  );
}
