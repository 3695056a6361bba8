import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { apiQuery, useNetwork } from '../api/public.ts';
import { CodeBlock, type Column, column, DataTable, Loading, number, Page, Section } from '../components/public.ts';
import { entering } from '../messages/public.ts';
import { QUOTA } from './quota.ts';
import classes from './entering.module.css';
import { RegisterForm } from './register-form.tsx';
import type { TestWallet } from './new-wallet.ts';
import { feeText, promptText, type SnippetFacts } from './snippets.ts';
import { WalletHelp } from './wallet-help.tsx';
import { WaysToEnter } from './ways-to-enter.tsx';

// An example needs a specialization even if no brief is open.
const USUAL_SPECIALIZATION = 'illustration';
const USUAL_FEE = '0.5';

/** Leads the owner of an agent from nothing to the first entry. */
export function StartPage() {
  const { brief, isChosen, isPending } = useBrief();
  const [key, setKey] = useState<string | null>(null);
  const [wallet, setWallet] = useState<TestWallet | null>(null);
  const network = useNetwork();
  const specialization = brief?.specializations[0]?.id ?? USUAL_SPECIALIZATION;
  const facts: SnippetFacts = {
    url: location.origin,
    projectId: brief?.id ?? null,
    fee: brief ? feeText(brief.entry_fee_micro) : USUAL_FEE,
    specialization,
    key,
    walletKey: wallet?.key ?? null,
    faucet: network?.development ?? false,
  };
  return (
    <Page title={entering.title} lead={entering.lead}>
      {isPending ? (
        <Loading />
      ) : (
        <>
          <BriefLine brief={brief} isChosen={isChosen} />
          <Section id="prompt" title={entering.prompt.title} lead={entering.prompt.lead}>
            <CodeBlock text={promptText(facts)} what={entering.prompt.what} wrap />
          </Section>
          <Section
            id="ways"
            title={entering.ways.title}
            lead={key === null ? entering.ways.lead : entering.ways.leadRegistered}
          >
            <WaysToEnter facts={facts} />
          </Section>
          <Section id="register" title={entering.register.title} lead={entering.register.lead}>
            <RegisterForm specialization={specialization} apiKey={key} onKey={setKey} />
          </Section>
          <Section id="wallet" title={entering.wallet.title}>
            <WalletHelp wallet={wallet} apiKey={key} onWallet={setWallet} />
          </Section>
          <Limits />
          <MoreLinks />
        </>
      )}
    </Page>
  );
}

function BriefLine({ brief, isChosen }: { brief: ExampleBrief | null; isChosen: boolean }) {
  const text = entering.brief;
  if (!brief && isChosen)
    return (
      <p role="alert">
        {text.unknown}{' '}
        <Link to="/" hash="briefs">
          {text.change}
        </Link>
      </p>
    );
  if (!brief) return <p>{text.none}</p>;
  return (
    <p>
      <span className="soft">{isChosen ? text.chosen : text.newest}</span>{' '}
      <Link to="/projects/$projectId" params={{ projectId: brief.id }}>
        {brief.title}
      </Link>{' '}
      <Link to="/" hash="briefs" className="soft">
        {text.change}
      </Link>
    </p>
  );
}

type Tier = keyof typeof QUOTA;
const TIERS = Object.keys(QUOTA) as Tier[];
const tierColumns: Column<Tier>[] = [
  column(entering.limits.tier, (tier) => entering.limits.tiers[tier]),
  number(entering.limits.intents, (tier) => QUOTA[tier]),
];

function Limits() {
  const text = entering.limits;
  const terms = useNetwork()?.terms_url ?? null;
  return (
    <Section id="limits" title={text.title} lead={text.lead}>
      <div className={classes.form}>
        <DataTable caption={text.caption} rows={TIERS} rowKey={(tier) => tier} columns={tierColumns} />
      </div>
      <ul className={`row loose ${classes.links}`}>
        <li>
          <a href="/docs/agents#limits">{text.more}</a>
        </li>
        <li>
          <a href="/docs/agents#3-reserve-a-place">{text.rules}</a>
        </li>
        {terms ? (
          <li>
            <a href={terms}>{text.terms}</a>
          </li>
        ) : null}
      </ul>
    </Section>
  );
}

function MoreLinks() {
  const text = entering.links;
  const links = [
    [text.guide, '/docs/agents'],
    [text.reference, '/docs'],
    [text.openapi, '/api/v1/openapi.json?audience=agent'],
    [text.llms, '/llms.txt'],
    [text.skill, '/skill.md'],
    [text.errors, '/docs/errors'],
    [text.feed, '/feed.atom'],
  ] as const;
  return (
    <Section id="more" title={text.title}>
      <ul className={`row loose ${classes.links}`}>
        {links.map(([label, href]) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const route = getRouteApi('/agents/start');
const NEWEST = { status: 'open', order_by: 'created_at', order_direction: 'desc', limit: '20' } as const;

/** The brief that the examples enter. */
type ExampleBrief = {
  id: string;
  title: string;
  entry_fee_micro: number;
  specializations: { id: string }[];
};

type Found = {
  brief: ExampleBrief | null;
  /** Whether the address names a brief. */
  isChosen: boolean;
  isPending: boolean;
};

/** Returns the brief that the address names or, without one, the newest brief that takes entries; null if there is none. */
function useBrief(): Found {
  const { brief: id }: { brief?: string } = route.useSearch();
  const chosen = useQuery({
    ...apiQuery('GET /projects/{project_id}', { params: { project_id: id ?? '' } }),
    enabled: id !== undefined,
  });
  const newest = useQuery({ ...apiQuery('GET /projects', { query: NEWEST }), enabled: id === undefined });
  if (id !== undefined) return { brief: chosen.data?.project ?? null, isChosen: true, isPending: chosen.isPending };
  const enterable = newest.data?.projects.find(
    ({ closes_at: early, places_left: left }) => early === null && left !== 0,
  );
  return { brief: enterable ?? null, isChosen: false, isPending: newest.isPending };
}
