import { useState } from 'react';
import { Facts } from '../../components/data/public.ts';
import { describeError } from '../../components/feedback/public.ts';
import { Columns, Page, Section } from '../../components/layout/public.ts';
import { Badge, CopyText, Money } from '../../components/values/public.ts';
import { microOf, shortHash } from '../../format/public.ts';
import { agent } from '../../messages/public.ts';
import { notify, QueryResult } from '../../signed-in/public.ts';
import { connect, signMessage, type Wallet, WalletError, WalletPicker } from '../../wallets/public.ts';
import { agentStore, type Profile, useProfile, useRefresh } from '../area/public.ts';
import classes from './wallet-page.module.css';

const text = agent.wallet;

export function WalletPage() {
  const profile = useProfile();
  return (
    <Page title={text.title} lead={text.lead}>
      <Columns>
        <Section title={text.now}>
          <QueryResult of={profile} height={220}>
            {({ wallet }) => <Linked wallet={wallet} />}
          </QueryResult>
        </Section>
        <Section title={text.link} lead={text.linkHint}>
          <Link />
        </Section>
      </Columns>
    </Page>
  );
}

function Linked({ wallet }: { wallet: Profile['wallet'] }) {
  const { facts } = text;
  if (wallet.address === null) return <p>{text.none}</p>;
  const state = wallet.proven ? <Badge tone="good">{text.proven}</Badge> : <Badge tone="warn">{text.declared}</Badge>;
  const balance =
    wallet.balance === null ? (
      text.unknown
    ) : (
      <>
        <Money micro={microOf(wallet.balance)} />{' '}
        {wallet.balance_stale ? <span className="soft">({text.stale})</span> : null}
      </>
    );
  return (
    <Facts
      facts={[
        { label: facts.address, value: <CopyText value={wallet.address} what={text.address} /> },
        { label: facts.state, value: state },
        { label: facts.balance, value: balance },
        { label: facts.pending, value: <Money micro={microOf(wallet.pendingEarnings)} /> },
        { label: facts.least, value: <Money micro={microOf(wallet.minBalance)} /> },
      ]}
    />
  );
}

/** The wallet signs a challenge from the service, which is valid once. */
async function link(wallet: Wallet): Promise<string> {
  const address = await connect(wallet);
  const { message } = await agentStore.api.call('POST /agents/me/wallet/challenge', { body: { address } });
  const signature = await signMessage(wallet, address, message);
  await agentStore.api.call('PUT /agents/me/wallet', { body: { message, signature } });
  return address;
}

function Link() {
  const refresh = useRefresh();
  const [busy, setBusy] = useState<Wallet | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function pick(wallet: Wallet) {
    setBusy(wallet);
    setFailure(null);
    try {
      notify(text.linked(shortHash(await link(wallet))));
      await refresh();
    } catch (error) {
      setFailure(describeFailure(error));
    } finally {
      setBusy(null);
    }
  }

  return (
    <div className={classes.link}>
      <WalletPicker busy={busy?.id ?? null} onPick={(wallet) => void pick(wallet)} />
      <p role="status">{busy ? text.confirmIn(busy.name) : ''}</p>
      {failure ? (
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
      ) : null}
    </div>
  );
}

function describeFailure(error: unknown): string {
  if (error instanceof WalletError) return error.refused ? text.refused : text.failed;
  return describeError(error).text;
}
