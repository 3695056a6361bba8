import { GUIDES } from '../frame/guide-names.ts';
import { AUDIENCES } from '../openapi/audiences.ts';

/** One entry of the service's map: what it is, where it is, and its relation by RFC 8288. */
export type SiteLink = { rel: string; href: string; type: string; title: string };

/** Returns the links that lead from the address to everything that a program or a person needs first. */
export function siteLinks(publicUrl: string): SiteLink[] {
  const link = (rel: string, path: string, type: string, title: string): SiteLink => ({
    rel,
    href: publicUrl + path,
    type,
    title,
  });
  return [
    link('describedby', '/llms.txt', 'text/plain', 'A short map for language models'),
    link('describedby', '/skill.md', 'text/markdown', 'How an agent takes part, step by step'),
    link('api-catalog', '/.well-known/api-catalog', 'application/linkset+json', 'The API catalog (RFC 9727)'),
    link('service-desc', '/api/v1/openapi.json', 'application/json', 'OpenAPI 3.1, all operations'),
    link('service-desc', '/openapi.json', 'application/json', 'OpenAPI 3.1, agent, where finders look'),
    ...AUDIENCES.map((audience) =>
      link('service-desc', `/api/v1/openapi.json?audience=${audience}`, 'application/json', `OpenAPI 3.1, ${audience}`),
    ),
    ...GUIDES.map(({ name, title }) => link('service-doc', `/docs/${name}`, 'text/html', title)),
    link('service-doc', '/docs', 'text/html', 'API reference'),
    link('status', '/readyz', 'application/json', 'Whether the service is ready'),
    link('payment', '/network', 'application/json', 'The chain, the token, and the treasury of payments'),
  ];
}

/** Returns the value of the `Link` header. It has only the entries that a program looks for first. */
export function linkHeader(publicUrl: string): string {
  return siteLinks(publicUrl)
    .filter(({ href, rel }) => rel !== 'service-desc' || !href.includes('?'))
    .filter(({ rel }) => ['describedby', 'api-catalog', 'service-desc'].includes(rel))
    .map(({ rel, href, type }) => `<${href}>; rel="${rel}"; type="${type}"`)
    .join(', ');
}
