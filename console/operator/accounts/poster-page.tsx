import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiData } from '../../api/public.ts';
import { DataTable, Facts, Stats } from '../../components/data/public.ts';
import { Banner } from '../../components/feedback/public.ts';
import { Columns, Page, Section } from '../../components/layout/public.ts';
import { Badge, CalendarDay, CopyText, Money, StatusBadge } from '../../components/values/public.ts';
import { count, dayOf, timeOf } from '../../format/public.ts';
import { messages, operator, operatorDesk } from '../../messages/public.ts';
import { useParam } from '../../shell/public.ts';
import { type Action, QueryResult, useAction } from '../../signed-in/public.ts';
import { LIST_MS, operatorStore, useApiQuery, useRefresh } from '../area/public.ts';
import classes from './detail-page.module.css';

type Poster = ApiData<'GET /operator/posters/{poster_id}'>['poster'];

const text = operatorDesk.posters;
const SHOWN = 20;

export function PosterPage() {
  const posterId = useParam('posterId');
  const query = useApiQuery('GET /operator/posters/{poster_id}', { params: { poster_id: posterId } }, LIST_MS);
  const { ask, dialog } = useAction(useRefresh());
  const found = query.data?.poster;
  return (
    <Page
      title={found?.name ?? text.title}
      heading={
        found ? (
          <span className={classes.heading}>
            <span>{found.name}</span>
            <Badge tone={found.status === 'active' ? 'good' : 'bad'}>{text.statuses[found.status]}</Badge>
          </span>
        ) : undefined
      }
      above={<Link to="/operator/posters">{text.back}</Link>}
      actions={
        found ? (
          <Button variant="default" onClick={() => ask(statusAction(found))}>
            {found.status === 'active' ? text.suspend : text.resume}
          </Button>
        ) : undefined
      }
    >
      <QueryResult of={query}>{({ poster }) => <Detail of={poster} />}</QueryResult>
      {dialog}
    </Page>
  );
}

function statusAction({ id, name, status }: Poster): Action {
  const next = status === 'active' ? 'suspended' : 'active';
  return {
    title: status === 'active' ? text.suspendTitle({ name }) : text.resumeTitle({ name }),
    text: status === 'active' ? text.suspendText : text.resumeText,
    confirm: status === 'active' ? text.suspend : text.resume,
    destructive: status === 'active',
    reason: text.reason,
    run: async (reason) => {
      const path = 'PUT /operator/posters/{poster_id}/status';
      const { poster } = await operatorStore.api.call(path, {
        params: { poster_id: id },
        body: { status: next, reason, instead_of: status },
      });
      return text[poster.status]({ name: poster.name });
    },
  };
}

function Detail({ of: poster }: { of: Poster }) {
  const { facts } = text;
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
          { label: messages.status.open, value: count(poster.by_status.open) },
          { label: messages.status.judging, value: count(poster.by_status.judging) },
          { label: messages.status.completed, value: count(poster.by_status.completed) },
          { label: messages.status.cancelled, value: count(poster.by_status.cancelled) },
          { label: text.prizes, value: <Money micro={poster.prizes_micro} short /> },
          { label: text.escrow, value: <Money micro={poster.escrow_micro} short /> },
        ]}
      />
      <Columns>
        <Section title={text.more}>
          <More posterId={poster.id} />
        </Section>
        <Facts
          facts={[
            { label: facts.id, value: <CopyText value={poster.id} what={text.id} /> },
            { label: facts.email, value: poster.contact_address ?? text.none },
            {
              label: facts.wallet,
              value: poster.wallet_address ? <CopyText value={poster.wallet_address} what={text.wallet} /> : text.none,
            },
            { label: facts.since, value: dayOf(poster.created_at) },
          ]}
        />
      </Columns>
      <Section title={text.briefs}>
        <Briefs posterId={poster.id} />
      </Section>
    </>
  );
}

function More({ posterId }: { posterId: string }) {
  const links = [
    { to: '/operator/projects', search: { poster_id: posterId }, label: text.all },
    { to: '/operator/payments', search: { poster_id: posterId }, label: text.payments },
    { to: '/operator/payouts', search: { poster_id: posterId }, label: text.payouts },
    { to: '/operator/audit', search: { subject: `poster:${posterId}` }, label: text.audit },
  ];
  return (
    <ul className={classes.links}>
      {links.map(({ label, ...place }) => (
        <li key={label}>
          <Link {...place}>{label}</Link>
        </li>
      ))}
    </ul>
  );
}

function Briefs({ posterId }: { posterId: string }) {
  const search = { poster_id: posterId, limit: SHOWN };
  const query = useApiQuery('GET /operator/projects', { query: search }, LIST_MS);
  const { columns } = operator.projects;
  return (
    <QueryResult of={query} height={160}>
      {({ projects }) =>
        projects.length === 0 ? (
          <p className="soft">{text.noBriefs}</p>
        ) : (
          <DataTable
            caption={text.briefs}
            rows={projects}
            rowKey={({ id }) => id}
            columns={[
              {
                key: 'title',
                label: columns.title,
                cell: ({ id: projectId, title }) => (
                  <Link to="/operator/projects/$projectId" params={{ projectId }}>
                    {title}
                  </Link>
                ),
              },
              { key: 'status', label: columns.status, cell: ({ status }) => <StatusBadge status={status} /> },
              { key: 'prize', label: columns.prize, numeric: true, cell: (row) => <Money micro={row.prize_micro} /> },
              { key: 'entries', label: columns.entries, numeric: true, cell: (row) => count(row.total_submissions) },
              { key: 'created', label: columns.created, cell: (row) => <CalendarDay at={row.created_at} /> },
            ]}
          />
        )
      }
    </QueryResult>
  );
}
