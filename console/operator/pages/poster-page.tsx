import type { ApiData } from '../../api/public.ts';
import { Facts, Stats, Banner, Columns, Section, Badge, CopyText, Money } from '../../components/public.ts';
import { count, dayOf, timeOf } from '../../format/public.ts';
import { messages, operatorDesk } from '../../messages/public.ts';
import { useParam } from '../../shell/public.ts';
import type { Act } from '../area/acts.tsx';
import { LIST_MS, operatorStore, useApiQuery } from '../area/operator-store.ts';
import { Links } from './links.tsx';
import { RecordPage } from './record-page.tsx';

type Poster = ApiData<'GET /operator/posters/{poster_id}'>['poster'];

const text = operatorDesk.posters;

export function PosterPage() {
  const posterId = useParam('posterId');
  const query = useApiQuery('GET /operator/posters/{poster_id}', { params: { poster_id: posterId } }, LIST_MS);
  return (
    <RecordPage
      query={query}
      list={{ to: '/operator/people/posters', title: text.title, back: text.back }}
      head={({ poster }) => ({
        title: poster.name,
        badge: <Badge tone={poster.status === 'active' ? 'good' : 'bad'}>{text.statuses[poster.status]}</Badge>,
        acts: [statusAct(poster)],
      })}
    >
      {({ poster }) => <Detail of={poster} />}
    </RecordPage>
  );
}

function statusAct({ id, name, status }: Poster): Act {
  const isActive = status === 'active';
  return {
    title: isActive ? text.suspendTitle({ name }) : text.resumeTitle({ name }),
    text: isActive ? text.suspendText : text.resumeText,
    confirm: isActive ? text.suspend : text.resume,
    destructive: isActive,
    reason: text.reason,
    run: async (reason) => {
      const { poster } = await operatorStore.api.call('PUT /operator/posters/{poster_id}/status', {
        params: { poster_id: id },
        body: { status: isActive ? 'suspended' : 'active', reason, instead_of: status },
      });
      return text[poster.status]({ name: poster.name });
    },
  };
}

function Detail({ of: poster }: { of: Poster }) {
  const { id, by_status: projects } = poster;
  const { facts } = text;
  const ofPoster = { poster_id: id };
  return (
    <>
      {poster.suspended_at === null ? null : (
        <Banner tone="bad" title={text.banner}>
          <p>{poster.suspend_reason}</p>
          <p>{text.since({ at: timeOf(poster.suspended_at) })}</p>
        </Banner>
      )}
      <Stats
        label={text.figures}
        stats={[
          { label: text.projects, value: count(poster.projects) },
          { label: messages.status.open, value: count(projects.open) },
          { label: messages.status.judging, value: count(projects.judging) },
          { label: messages.status.completed, value: count(projects.completed) },
          { label: messages.status.cancelled, value: count(projects.cancelled) },
          { label: text.prizes, value: <Money micro={poster.prizes_micro} short /> },
          { label: text.escrow, value: <Money micro={poster.escrow_micro} short /> },
        ]}
      />
      <Columns>
        <Section title={text.more}>
          <Links
            links={[
              { to: '/operator/projects', search: ofPoster, label: text.all },
              { to: '/operator/money', search: ofPoster, label: text.payments },
              { to: '/operator/money/payouts', search: ofPoster, label: text.payouts },
              { to: '/operator/audit', search: { subject: `poster:${id}` }, label: text.audit },
            ]}
          />
        </Section>
        <Facts
          facts={[
            { label: facts.id, value: <CopyText value={id} what={text.id} /> },
            { label: facts.email, value: poster.contact_address ?? text.none },
            {
              label: facts.wallet,
              value: poster.wallet_address ? <CopyText value={poster.wallet_address} what={text.wallet} /> : text.none,
            },
            { label: facts.since, value: dayOf(poster.created_at) },
          ]}
        />
      </Columns>
    </>
  );
}
