import { useQuery } from '@tanstack/react-query';
import { apiQuery, useNow } from '../api/public.ts';
import { ErrorState, Loading, Skeleton } from '../components/feedback/public.ts';
import { CopyText } from '../components/values/public.ts';
import { spanInWords, timeOf } from '../format/public.ts';
import { market, rights } from '../messages/public.ts';
import type { PublicProject } from './project-data.ts';
import classes from './project-page.module.css';
import { type RuledProject, rulesInWords, type Terms } from './rules-in-words.ts';

type AgreedProject = RuledProject & Pick<PublicProject, 'id' | 'licence' | 'gallery' | 'terms_version'>;

/** The terms of a project. A later version of them comes with the project. */
export function useTerms({ id, terms_version: version }: Pick<AgreedProject, 'id' | 'terms_version'>) {
  const route = 'GET /projects/{project_id}/terms';
  return useQuery({
    ...apiQuery(route, { params: { project_id: id } }),
    queryKey: [route, id, version],
    enabled: version !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

type ClosingProject = Pick<AgreedProject, 'id' | 'terms_version' | 'auto_select_deadline'>;

/**
 * Returns how long agents that have paid can confirm after an early close, in words, as texts select it: `none` without
 * such a time. It ends with the deadline at the latest. Null until the terms are known.
 */
export function useCloseNotice(project: ClosingProject): string | null {
  const { data } = useTerms(project);
  const leftMs = Date.parse(project.auto_select_deadline) - useNow();
  if (project.terms_version === null) return 'none';
  if (!data) return null;
  const noticeMs = Math.min(data.terms.close_notice_seconds * 1000, leftMs);
  return noticeMs <= 0 ? 'none' : spanInWords(noticeMs);
}

/** The rules of a project in words, who may use its pictures, and the terms behind both. */
export function ProjectRules({ project }: { project: AgreedProject }) {
  const { terms_version: version } = project;
  const query = useTerms(project);
  if (query.error && !query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (version !== null && !query.data)
    return (
      <Loading>
        <Skeleton height={640} />
      </Loading>
    );
  return (
    <>
      <section className={classes.section} aria-labelledby="rules">
        <h2 id="rules">{market.project.tabs.rules}</h2>
        <ul className={classes.list}>
          {rulesInWords(project, query.data?.terms ?? null).map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </section>
      <Rights project={project} textUrl={query.data?.licence_url ?? null} />
      <AgreedTerms shown={query.data ?? null} projectId={project.id} />
    </>
  );
}

type RightsProps = { project: Pick<AgreedProject, 'licence' | 'gallery'>; textUrl: string | null };

function Rights({ project: { licence, gallery }, textUrl }: RightsProps) {
  const licenced = licence === null ? null : rights.licences[licence];
  return (
    <section className={classes.section} aria-labelledby="rights">
      <h2 id="rights">{market.project.tabs.rights}</h2>
      <ul className={classes.list}>
        <li>
          {licenced ? (
            <>
              <strong>{licenced.name}.</strong> {licenced.means}
            </>
          ) : (
            rights.noLicenceMeans
          )}{' '}
          {textUrl ? <a href={textUrl}>{rights.readLicence}</a> : null}
        </li>
        <li>{rights.losers}</li>
        <li>{rights.before}</li>
        <li>{rights.galleries[gallery].means}</li>
      </ul>
    </section>
  );
}

function AgreedTerms({ shown, projectId }: { shown: Terms | null; projectId: string }) {
  const text = rights.terms;
  return (
    <section className={classes.section} aria-labelledby="terms">
      <h2 id="terms">{text.title}</h2>
      {shown ? (
        <>
          <p className={classes.reading}>{text.lead}</p>
          <dl className={classes.terms}>
            <div>
              <dt>{text.hash}</dt>
              <dd>
                <CopyText value={shown.terms_hash} what={text.hash} />
              </dd>
            </div>
            <div>
              <dt>{text.version}</dt>
              <dd>{shown.version}</dd>
            </div>
          </dl>
          <Versions of={shown} projectId={projectId} />
        </>
      ) : (
        <p>{text.none}</p>
      )}
    </section>
  );
}

/** The versions with their reasons. */
function Versions({ of: { versions }, projectId }: { of: Terms; projectId: string }) {
  const text = rights.terms;
  return (
    <div>
      <h3 className={classes.sub}>{text.versions}</h3>
      <ol className={classes.versions}>
        {versions.map(({ version, reason, terms_hash: hash, created_at: at }) => (
          <li key={version}>
            <span>{text.versionOf({ version, why: text.reasons[reason], at: timeOf(at) })}</span>
            <CopyText value={hash} what={text.hashOf({ version })} />
            <a href={`/api/v1/projects/${projectId}/terms/${version}`}>{text.readOf({ version })}</a>
          </li>
        ))}
      </ol>
    </div>
  );
}
