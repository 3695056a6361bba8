import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BRIEF_TEXTS } from '../../../contract/projects/brief.ts';
import { z } from 'zod';
import { eventOperations } from '../../../contract/events/events.ts';
import { isObject, plainSchema } from './json-schema.ts';
import { markUntrusted, markUntrustedSchema, untrustedFields } from './untrusted.ts';
import { tools } from './tools.ts';

const output = z.object({
  projects: z.array(z.object({ title: z.string(), poster: z.object({ name: z.string(), id: z.string() }).nullable() })),
  title: z.string(),
});

const fields = untrustedFields(['projects.title', 'projects.poster.name']);

// The texts of strangers that a tool returns. Their names begin with `untrusted_`, so that a model does not take them for
// instructions.

const below = (parent: string, names: string[]) => names.map((name) => `${parent}.${name}`);

const BRIEF = [...BRIEF_TEXTS, 'metadata.tags'];
const PUBLIC_BRIEF = [...BRIEF_TEXTS, 'tags'];
const WINNER = ['winner.title', 'winner.agent.name'];
const ENTRY = ['title', 'description', 'agent.name', 'feedback'];
const market = below('projects', ['title', 'excerpt', 'color_preferences', 'poster.name', ...WINNER]);
const publicProject = below('project', [
  ...PUBLIC_BRIEF,
  'cancel_reason',
  'no_winner_reason',
  'poster.name',
  ...WINNER,
]);

const strangers: Record<string, string[]> = {
  'public find_projects': market,
  'poster find_projects': market,
  'public get_project': publicProject,
  'poster get_project': publicProject,
  'public get_terms': below('brief', PUBLIC_BRIEF),
  'agent get_terms': below('brief', PUBLIC_BRIEF),
  'poster get_terms': below('brief', PUBLIC_BRIEF),
  'agent find_projects': below('projects', BRIEF),
  'agent get_project': below('project', [...BRIEF, 'cancel_reason', 'no_winner_reason', 'poster.name']),
  'agent my_entries': ['submissions.project_title'],
  'agent events': below('events.data', [
    'reason',
    'question',
    'answer',
    ...below('project', ['title', 'description', 'requirements', 'size_requirements']),
  ]),
  'poster my_briefs': ['projects.shown_entry.title'],
  'poster list_entries': below('submissions', ENTRY),
  'poster choose_winner': below('preview.entry', ENTRY),
  'poster get_delivery': ['files.file_name', 'entry.title', 'entry.agent.name'],
  'poster events': below('events.data', ['reason', 'question']),
};

/** Returns the paths of all properties of a schema. */
function pathsIn(node: unknown, path = ''): string[] {
  if (!isObject(node)) return [];
  const { anyOf, oneOf, allOf, items, properties } = node;
  const branches = [anyOf, oneOf, allOf].filter((each) => Array.isArray(each)).flat();
  const own = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, each]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [at, ...pathsIn(each, at)];
  });
  return [...branches.flatMap((branch: unknown) => pathsIn(branch, path)), ...pathsIn(items, path), ...own];
}

describe('the schemas of input', () => {
  const KEYWORDS = new Set(
    'type description enum default properties required additionalProperties items minItems maxItems minLength maxLength pattern format minimum maximum'.split(
      ' ',
    ),
  );
  const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'];

  function faultsIn(schema: object, path: string): string[] {
    const { type, additionalProperties = false, properties = {}, items } = schema as Record<string, unknown>;
    return [
      ...Object.keys(schema).filter((keyword) => !KEYWORDS.has(keyword)),
      ...(TYPES.includes(String(type)) && typeof type === 'string' ? [] : ['type']),
      ...(additionalProperties === false ? [] : ['additionalProperties']),
    ]
      .map((keyword) => `${path}: ${keyword}`)
      .concat(
        Object.entries(properties as object).flatMap(([name, each]) => faultsIn(each as object, `${path}.${name}`)),
      )
      .concat(isObject(items) ? faultsIn(items, `${path}[]`) : []);
  }

  it('have one type each, and no keyword that the interface of a model refuses', () => {
    for (const { name, schemas } of tools) assert.deepEqual(faultsIn(schemas().inputSchema, name), []);
    const shapes = z.object({ only: z.literal('a'), any: z.record(z.string(), z.unknown()).nullish() });
    const { properties } = plainSchema(shapes, 'input');
    assert.deepEqual(properties, { only: { type: 'string', enum: ['a'] }, any: { type: 'object' } });
  });
});

describe('the text of strangers', () => {
  it('is renamed in the data and in the schema alike, and nowhere else', () => {
    const data = {
      projects: [
        { title: 'a', poster: { name: 'b', id: 'c' } },
        { title: 'd', poster: null },
      ],
      title: 'e',
    };
    const marked = markUntrusted(data, fields);
    assert.deepEqual(marked, {
      projects: [
        { untrusted_title: 'a', poster: { untrusted_name: 'b', id: 'c' } },
        { untrusted_title: 'd', poster: null },
      ],
      title: 'e',
    });
    const schema = z.fromJSONSchema(markUntrustedSchema(plainSchema(output, 'output'), fields));
    assert.deepEqual(schema.parse(marked), marked);
    assert.throws(() => schema.parse(data));
  });

  it('is renamed in each shape of a union', () => {
    const schema = markUntrustedSchema(
      plainSchema(eventOperations.listPosterEvents.output, 'output'),
      untrustedFields(['events.data.reason']),
    );
    const text = JSON.stringify(schema);
    assert.equal(text.match(/"untrusted_reason":/g)?.length, 2);
    assert.doesNotMatch(text, /"reason"/);
  });

  it('is never forgotten because a field got another name', () => {
    assert.throws(() => markUntrustedSchema(plainSchema(output, 'output'), untrustedFields(['projects.name'])), {
      message: 'an output has no projects.name',
    });
  });
});

describe('the texts of strangers', () => {
  for (const tool of tools)
    for (const role of tool.roles)
      it(`are marked: ${tool.name} of ${role}`, () => {
        const marked = pathsIn(tool.schemas().outputSchema).filter((path) => /(?:^|\.)untrusted_[^.]+$/.test(path));
        const expected = strangers[`${role} ${tool.name}`] ?? [];
        assert.deepEqual(
          [...new Set(marked.map((path) => path.replaceAll('untrusted_', '')))].toSorted(),
          expected.toSorted(),
        );
      });
});
