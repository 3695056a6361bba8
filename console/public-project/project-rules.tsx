import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, useNow } from '../api/public.ts';
import { NoData, CopyText } from '../components/public.ts';
import { licencePage, spanInWords, timeOf } from '../format/public.ts';
import { market, rights } from '../messages/public.ts';
import type { AnyProject } from './project-data.ts';
import classes from './project-page.module.css';
import { rulesInShort, rulesInWords, type Terms } from './rules-in-words.ts';

/** The terms of a project. A later version of them comes with the project. */
export function useTerms({ id, terms_version: version }: Pick<AnyProject, 'id' | 'terms_version'>) {
  const route = 'GET /projects/{project_id}/terms';
  return useQuery({
    ...apiQuery(route, { params: { project_id: id } }),
    queryKey: [route, id, version],
    enabled: version !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * Returns how long agents that have paid can confirm after an early close, in words, as texts select it: `none` without
 * such a time. It ends with the deadline at the latest. Null until the terms are known.
 */
export function useCloseNotice(project: AnyProject): string | null {
  const { data } = useTerms(project);
  const leftMs = Date.parse(project.auto_select_deadline) - useNow();
  if (!data) return null;
  const noticeMs = Math.min(data.terms.close_notice_seconds * 1000, leftMs);
  return noticeMs <= 0 ? 'none' : spanInWords(noticeMs);
}

/** The rules of a project in three sentences. All rules, who may use the pictures, and the terms open below them. */
export function ProjectRules({ project }: { project: AnyProject }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="stack" aria-labelledby="rules">
      <h2 id="rules">{market.project.tabs.rules}</h2>
      <p className="words">{rulesInShort(project).join(' ')}</p>
      {project.terms_version === null ? null : (
        <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{market.project.tabs.allRules}</summary>
          {isOpen ? <AllRules project={project} /> : null}
        </details>
      )}
    </section>
  );
}

function AllRules({ project }: { project: AnyProject }) {
  const query = useTerms(project);
  if (!query.data) return <NoData of={query} />;
  const { name, means } = rights.licences[project.licence];
  return (
    <>
      <ul className="bullets">
        {rulesInWords(project, query.data.terms).map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      <h3 className="sub">{market.project.tabs.rights}</h3>
      <ul className="bullets">
        <li>
          <strong>{name}</strong>
          <br />
          {means} <a href={licencePage(query.data.licence_url)}>{rights.readLicence}</a>
        </li>
        <li>{rights.losers}</li>
        <li>{rights.before}</li>
        <li>{rights.galleries[project.gallery].means}</li>
      </ul>
      <h3 className="sub">{rights.terms.title}</h3>
      <Versions of={query.data} projectId={project.id} />
    </>
  );
}

/** The versions of the terms with their reasons, the current one first. */
function Versions({ of: { versions }, projectId }: { of: Terms; projectId: string }) {
  const text = rights.terms;
  return (
    <>
      <p className="words">{text.lead}</p>
      <ol className="stack">
        {versions.map(({ version, reason, terms_hash: hash, created_at: at }) => (
          <li key={version} className="row">
            <span>{text.versionOf({ version, why: text.reasons[reason], at: timeOf(at) })}</span>
            <CopyText value={hash} what={text.hashOf({ version })} />
            <a
              href={`/api/v1/projects/${projectId}/terms?version=${version}`}
              download={`terms-${projectId}-v${version}.json`}
            >
              {text.downloadOf({ version })}
            </a>
          </li>
        ))}
      </ol>
    </>
  );
}
