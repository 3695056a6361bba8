import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { z } from 'zod';
import { errorStatus } from '../../contract/basics/errors.ts';
import { errorsOf } from '../../contract/basics/operation.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { describedIn, type Document, documentOf } from '../support/clients/api-document.ts';
import { createService, type Service } from '../../server/service.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The OpenAPI document, and the routes of a process, also in production.

const { url, service, operatorKey } = await startWorld();
const text = await (await fetch(`${url}/api/v1/openapi.json`)).text();
const document = JSON.parse(text) as Document;

const textFor = async (audience: string) => (await fetch(`${url}/api/v1/openapi.json?audience=${audience}`)).text();

function described({ paths }: Document): string[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .toSorted();
}

describe('the OpenAPI document', () => {
  it('passes the recommended rules of Redocly, for every reader', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problemsOf = async (source: string) => await lintFromString({ source, absoluteRef: '/openapi.json', config });
    for (const reader of ['agent', 'owner', 'poster', 'operator', 'public'])
      assert.deepEqual(await problemsOf(await textFor(reader)), [], reader);
    assert.deepEqual(await problemsOf(text), []);
  });

  it('is at the origin for finders: that of agents, with whole paths and with what is paid', async () => {
    const answer = await fetch(`${url}/openapi.json`, { headers: { origin: 'https://finder.example' } });
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(await answer.text(), await textFor('agent'));
    for (const { method, path, paid = false } of everyOperation) {
      const { 'x-payment-info': info } = document.paths[`/api/v1${path}`]![method] as { 'x-payment-info'?: object };
      assert.equal(info !== undefined, paid, path);
    }
  });

  it('has an agent’s document of at most 120 KB that leads from the registration to the result', async () => {
    const agents = await textFor('agent');
    // At most 30,000 tokens, of four bytes each.
    assert.ok(Buffer.byteLength(agents) <= 120_000, `${Buffer.byteLength(agents)} bytes`);
    const { paths } = JSON.parse(agents) as Document;
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    const way = ['createAgent', 'searchProjects', 'createIntent', 'requestUpload', 'confirmUpload', 'listAgentEvents'];
    for (const id of way) assert.ok(ids.includes(id), id);
  });

  it('types the requirements of a 402 in both versions, and names the codes of each operation', async () => {
    type Components = { schemas: Record<string, object>; headers: Record<string, { description: string }> };
    for (const source of [text, await textFor('agent')]) {
      const { components, paths } = JSON.parse(source) as Document & { components: Components };
      for (const name of ['PaymentRequirementsV1', 'PaymentRequirementsV2', 'PaymentRequiredV2'])
        assert.ok(components.schemas[name], name);
      assert.match(components.headers['PAYMENT-REQUIRED']?.description ?? '', /PaymentRequiredV2/);
      const upload = JSON.stringify(paths['/api/v1/agents/projects/{project_id}/submissions/{submission_id}']);
      for (const code of ['TERMS_CHANGED', 'PROJECT_FULL']) assert.match(upload, new RegExp(code));
    }
  });

  it('describes the webhook events', async () => {
    const eventsFor = async (audience: string) =>
      Object.keys((JSON.parse(await textFor(audience)) as Document).webhooks ?? {}).toSorted();
    assert.deepEqual(await eventsFor('owner'), ['agentEvent', 'projectOpen']);
    assert.deepEqual(await eventsFor('poster'), ['posterEvent']);
    assert.deepEqual(await eventsFor('agent'), []);
    for (const name of ['AgentWebhookEvent', 'PosterWebhookEvent'])
      assert.match(JSON.stringify(document.components.schemas[name]), /"amount_micro"|"hours_left"/);
    const { post } = document.webhooks['projectOpen']!;
    const sent = post!.requestBody.content['application/json']!;
    assert.deepEqual(sent.schema, { $ref: '#/components/schemas/WebhookEvent' });
    assert.ok(document.components.schemas['WebhookEvent']);
  });

  it('lists every code of every operation under its status', () => {
    const more: Partial<Record<string, string[]>> = {
      VALIDATION_ERROR: ['408', '413', '415'],
      INTERNAL_ERROR: ['503'],
      DATABASE_ERROR: ['503'],
    };
    for (const spec of everyOperation) {
      const { operationId, responses } = describedIn(document, spec)!;
      assert.equal(operationId, spec.id);
      const listed = new Set<string>();
      for (const [status, { description }] of Object.entries(responses).filter(([code]) => Number(code) >= 400)) {
        for (const [, name] of description.matchAll(/`(\w+)`/g)) {
          const code = name as keyof typeof errorStatus;
          listed.add(code);
          const others = more[code] ?? [];
          assert.ok([String(errorStatus[code]), ...others].includes(status), `${spec.id} ${status} ${code}`);
        }
      }
      assert.deepEqual([...listed].toSorted(), errorsOf(spec), spec.id);
    }
  });

  it('has the same operations and schemas as the single-operation documents that tests check answers against', () => {
    for (const spec of everyOperation) {
      const { paths, components } = documentOf(spec);
      assert.deepEqual(describedIn(document, spec), describedIn({ paths }, spec));
      for (const [name, schema] of Object.entries(components.schemas))
        assert.deepEqual(document.components.schemas[name], schema, name);
    }
  });
});

it('every output schema drops unlisted columns', () => {
  for (const { id, output, contentType } of everyOperation) {
    if (contentType) continue;
    type Shape = { additionalProperties?: boolean };
    type Schema = Shape & { $ref?: string; oneOf?: Schema[]; $defs?: Record<string, Schema> };
    const schema = z.toJSONSchema(output) as Schema;
    // A schema can be one of several shapes or a single shape. Some shapes have a name.
    for (const shape of schema.oneOf ?? [schema]) {
      const named = shape.$ref === undefined ? shape : schema.$defs?.[shape.$ref.replace('#/$defs/', '')];
      assert.equal(named?.additionalProperties, false, id);
    }
  }
});

/** Lists the router's operations, such as `GET /api/v1/agents/{agent_id}`. Pictures of agents are files. */
function routed({ app }: Pick<Service, 'app'>): string[] {
  return app.routes
    .filter(({ path }) => path.startsWith('/api/v1/') && !path.startsWith('/api/v1/avatars/'))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    .toSorted();
}

describe('the router', () => {
  it('has exactly the operations of the OpenAPI document', async () => {
    assert.deepEqual([...described(document), 'GET /api/v1/openapi.json'].toSorted(), routed(service));
    assert.equal(new Set(routed(service)).size, everyOperation.length + 1);
  });

  it('has no development route in production', async () => {
    const config = { ...service.deps.config, development: false };
    const production = createService({ ...service.deps, config }, { operatorKey });
    const env = { incoming: { socket: { remoteAddress: '192.0.2.1' } } };
    const served = await production.app.fetch(new Request('http://localhost/api/v1/openapi.json'), env);
    const inProduction = routed(production);
    const inDocument = described((await served.json()) as Document);
    assert.deepEqual([...inDocument, 'GET /api/v1/openapi.json'].toSorted(), inProduction);
    assert.deepEqual(
      routed(service).filter((route) => !inProduction.includes(route)),
      ['POST /api/v1/dev/faucet'],
    );
    production.app.stop();
  });
});
