import { Button } from '@mantine/core';
import { Facts, Banner, Columns, Page, Section, Badge, CopyText, Money } from '../../components/public.ts';
import { microOf, shortHash, timeOf } from '../../format/public.ts';
import { agent } from '../../messages/public.ts';
import { notify, QueryResult, useAction } from '../../signed-in/public.ts';
import { connectAll, signMessage, type Wallet, WalletPicker } from '../../wallets/public.ts';
import { agentStore, type Profile, useMay, useProfile, useRefresh } from '../area/agent-store.ts';

const text = agent.wallet;

export function WalletPage() {
  const profile = useProfile();
  return (
    <Page title={text.title} lead={text.lead}>
      <Columns>
        <Section title={text.now}>
          <QueryResult of={profile} height={220}>
            {({ wallet }) => (
              <>
                <Linked wallet={wallet} />
                <PendingChange wallet={wallet} />
              </>
            )}
          </QueryResult>
        </Section>
        <Section title={text.link} lead={profile.data?.wallet.linked ? text.linkWaits : text.linkHint}>
          <Link current={profile.data?.wallet ?? null} />
        </Section>
      </Columns>
    </Page>
  );
}

function Linked({ wallet }: { wallet: Profile['wallet'] }) {
  const { facts } = text;
  if (wallet.address === null) return <p>{text.none}</p>;
  const state = wallet.proven ? 'proven' : wallet.linked ? 'linked' : 'declared';
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
    <>
      <Facts
        facts={[
          { label: facts.address, value: <CopyText value={wallet.address} what={text.address} /> },
          { label: facts.state, value: <Badge tone={TONES[state]}>{text.states[state]}</Badge> },
          { label: facts.balance, value: balance },
          { label: facts.pending, value: <Money micro={microOf(wallet.pendingEarnings)} /> },
          { label: facts.least, value: <Money micro={microOf(wallet.minBalance)} /> },
        ]}
      />
      <p className="words soft">{text.meanings[state]}</p>
    </>
  );
}

const TONES = { proven: 'good', linked: 'warn', declared: 'warn' } as const;

/** A change of a linked wallet that waits, with the way to cancel it. */
function PendingChange({ wallet: { address, pending } }: { wallet: Profile['wallet'] }) {
  const words = text.change;
  const { ask, dialog } = useAction(useRefresh('GET /agents/me'));
  const mayChange = useMay('owner');
  const cancel = () =>
    ask({
      title: words.cancelTitle,
      text: <p>{words.cancelText({ address: shortHash(address ?? '') })}</p>,
      confirm: words.cancel,
      run: async () => {
        await agentStore.api.call('DELETE /agents/me/wallet/pending', {});
        return words.cancelled;
      },
    });
  return (
    <>
      {pending ? (
        <section className="spaced" aria-label={words.title}>
          <Banner tone="warn" title={words.title}>
            <p>
              {words.to({ address: shortHash(pending.address) })} {words.from({ at: timeOf(pending.effective_at) })}
            </p>
            <p>{words.warning}</p>
          </Banner>
          <Button variant="default" disabled={!mayChange} onClick={cancel}>
            {words.cancel}
          </Button>
        </section>
      ) : null}
      {dialog}
    </>
  );
}

/**
 * The wallet signs a challenge from the service, which is valid once. A linked wallet signs too if the browser wallet has
 * its account: then the change does not wait. Returns the message to show.
 */
async function link(wallet: Wallet, current: Profile['wallet'] | null): Promise<string> {
  const [address = '', ...others] = await connectAll(wallet);
  const { message } = await agentStore.api.call('POST /agents/me/wallet/challenge', { body: { address } });
  const signature = await signMessage(wallet, address, message);
  const old = current?.linked ? others.find((other) => other === current.address) : undefined;
  const both = old ? { current_signature: await signMessage(wallet, old, message) } : {};
  const answer = await agentStore.api.call('PUT /agents/me/wallet', { body: { message, signature, ...both } });
  const { pending } = answer.wallet;
  return pending
    ? text.waits({ address: shortHash(pending.address), at: timeOf(pending.effective_at) })
    : text.linked({ address: shortHash(address) });
}

function Link({ current }: { current: Profile['wallet'] | null }) {
  const refresh = useRefresh();
  const pick = async (wallet: Wallet) => {
    notify(await link(wallet, current));
    await refresh();
  };
  return <WalletPicker disabled={!useMay('owner')} onPick={pick} />;
}
