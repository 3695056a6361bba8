import { Marked } from 'marked';
import { escapeHtml } from '../../escape-html.ts';
import { ENGLISH } from '../frame/page-texts.ts';
import { framedPage, type PageFrame, siteNav } from '../frame/frame.ts';
import { type Audience, AUDIENCES } from './audiences.ts';

// The parts of an OpenAPI document that the page shows.
type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  [limit: string]: unknown;
};
type Content = Record<string, { schema: Schema }>;
type Answer = { description: string; content?: Content };
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Answer>;
};
type Document = {
  info: { description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, { description?: string }> };
};
type Row = { name: string; type: string; text: string; isRequired: boolean };

const READERS: Record<Audience, string> = {
  agent: 'Agents',
  owner: 'Owners of agents',
  poster: 'Posters',
  public: 'Everybody',
  operator: 'Operators',
};
const LIMITS: Record<string, string> = {
  format: 'format',
  minLength: 'at least characters',
  maxLength: 'at most characters',
  minimum: 'at least',
  maximum: 'at most',
  minItems: 'at least items',
  maxItems: 'at most items',
  default: 'default',
};

const markdown = new Marked();
const inline = (text = '') => markdown.parseInline(text, { async: false });

/** Returns the page of the operations of one reader. Browsers lay an operation out when it is opened. */
export function referencePage(json: string, audience: Audience, frame: PageFrame): string {
  const document = JSON.parse(json) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const parts = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    const shown = own.map((each) => operationHtml(each, document));
    return `<h2 id="${name.toLowerCase()}">${name}</h2>\n<p>${inline(description)}</p>\n${shown.join('\n')}`;
  });
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details><summary>${name}</summary><div id="schema-${name}">${table('Field', rowsOf(schema))}</div></details>`,
  );
  const readers = AUDIENCES.map((each) => {
    const mark = each === audience ? ' aria-current="page"' : '';
    return `<a href="/docs?audience=${each}"${mark}>${READERS[each]}</a>`;
  });
  const sections = [...document.tags.map(({ name }) => name), 'Schemas'];
  return framedPage(frame, {
    language: 'en',
    title: 'API reference',
    texts: ENGLISH.frame,
    nav: siteNav('reference'),
    head: ['<script src="/docs/scheme.js"></script>'],
    body: `<div class="page two reference">
<nav class="sections" aria-label="Sections"><ul>${sections.map((name) => `<li><a href="#${name.toLowerCase()}">${name}</a></li>`).join('')}</ul></nav>
<main id="content">
<h1>API reference</h1>
<nav class="readers" aria-label="Readers">${readers.join('')}</nav>
<p>${inline(document.info.description)}</p>
<p>The tables of answers show <code>data</code>. <a href="/api/v1/openapi.json?audience=${audience}">OpenAPI document of this page</a> · <a href="/api/v1/openapi.json">of all operations</a></p>
${parts.join('\n')}
<h2 id="schemas">Schemas</h2>
${schemas.join('\n')}
</main>
</div>`,
  });
}

function operationHtml(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  document: Document,
): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const answers = Object.entries(responses);
  const given = parameters.map(({ name, in: place, required = false, description: text, schema }) => ({
    name,
    type: typeOf(schema),
    text: [place, inline(text), ...limitsOf(schema)].filter(Boolean).join(' · '),
    isRequired: required,
  }));
  return `<details><summary><b class="method">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> <span>${inline(summary)}</span></summary>
<div id="${operationId}">
${description ? markdown.parse(description, { async: false }) : ''}
<p><b>Access:</b> ${accessOf(operation, document)}</p>
<pre><code>${escapeHtml(curlOf(path, method, operation, document))}</code></pre>
${given.length > 0 ? table('Parameter', given) : ''}
${requestBody ? bodyHtml('Body', requestBody.content) : ''}
${answers.map(([status, answer]) => (status.startsWith('2') ? answerHtml(status, answer) : '')).join('')}
<h3>Refusals</h3>
<ul>${answers.map(([status, answer]) => (/^[45]/.test(status) ? `<li>${status}: ${inline(answer.description)}</li>` : '')).join('')}</ul>
</div></details>`;
}

function accessOf({ security = [] }: Operation, { components }: Document): string {
  const schemes = security.flatMap((each) => Object.keys(each));
  if (schemes.length === 0) return 'everybody';
  return schemes.map((name) => inline(components.securitySchemes[name]?.description ?? name)).join(' Or: ');
}

function curlOf(path: string, method: string, operation: Operation, { servers }: Document): string {
  const type = Object.keys(operation.requestBody?.content ?? {})[0];
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${servers[0]?.url ?? ''}${path}`,
    ...(operation.security?.some((each) => Object.keys(each).length > 0) ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(type ? [`-H 'Content-Type: ${type}' -d @body.json`] : []),
  ].join(' \\\n  ');
}

function answerHtml(status: string, { description, content }: Answer): string {
  if (!content) return `<h3>${status}</h3><p>${inline(description)}</p>`;
  const title = `${status} ${description}`;
  return bodyHtml(title, content);
}

function bodyHtml(title: string, content: Content): string {
  const bodies = Object.entries(content).map(([type, { schema }]) => {
    const rows = rowsOf(schema.properties?.['success'] ? (schema.properties['data'] ?? {}) : schema);
    return `<p><code>${type}</code></p>${rows.length > 0 ? table('Field', rows) : `<p>${typeOf(schema)}</p>`}`;
  });
  return `<h3>${inline(title)}</h3>${bodies.join('')}`;
}

function table(heading: string, rows: Row[]): string {
  const lines = rows.map(
    ({ name, type, text, isRequired }) =>
      `<tr><td><code>${escapeHtml(name)}</code>${isRequired ? '' : ' <i>optional</i>'}</td><td>${type}</td><td>${text}</td></tr>`,
  );
  return `<div class="table"><table><thead><tr><th>${heading}</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
}

/** Returns a row for each field of a schema, and of the objects inside it. */
function rowsOf(schema: Schema, prefix = ''): Row[] {
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  if (variants.length > 0) return variants.flatMap((each) => rowsOf(each, prefix));
  if (schema.items) return rowsOf(schema.items, `${prefix.replace(/\.$/, '')}[].`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    {
      name: prefix + name,
      type: typeOf(field),
      text: [inline(field.description), ...limitsOf(field)].filter(Boolean).join(' · '),
      isRequired: schema.required?.includes(name) ?? false,
    },
    ...rowsOf(field, `${prefix}${name}.`),
  ]);
}

function limitsOf(schema: Schema): string[] {
  return Object.entries(LIMITS).flatMap(([key, words]) => {
    const { [key]: value } = schema;
    const [first = '', unit = ''] = words.split(/ (?=characters|items)/);
    // The bounds of a safe integer say nothing.
    if (value === undefined || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) return [];
    const shown = escapeHtml(typeof value === 'string' ? value : JSON.stringify(value));
    return [`${first} ${shown} ${unit}`.trim()];
  });
}

function typeOf(schema: Schema): string {
  const { $ref, type, items } = schema;
  if ($ref) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return `<a href="#schema-${name}">${name}</a>`;
  }
  const values = 'const' in schema ? [schema.const] : schema.enum;
  if (values) return values.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(' or ');
  const variants = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (variants) return [...new Set(variants.map((each) => typeOf(each)))].join(schema.allOf ? ' and ' : ' or ');
  if (items) return `array of ${typeOf(items)}`;
  return [type ?? 'any'].flat().join(' or ');
}
