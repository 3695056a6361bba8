import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { z } from 'zod';
import { errorStatus } from '../../contract/basics/errors.ts';
import { errorsOf } from '../../contract/basics/operation.ts';
import { createService, type Service } from '../../server/service.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { createAnswerReader, type Document, documentOf } from '../support/clients/api-document.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const { url, service, operatorKey, errors } = await startWorld();
const response = await fetch(`${url}/api/v1/openapi.json`);
const text = await response.text();
const document = JSON.parse(text) as Document;

/** Lists the router's operations below the API's prefix, such as `GET /agents/{agent_id}`. */
function routed({ app }: Pick<Service, 'app'>): string[] {
  return app.routes
    .filter(({ path }) => path.startsWith('/api/v1/'))
    .map(({ method, path }) => `${method} ${path.slice('/api/v1'.length).replaceAll(/:(\w+)/g, '{$1}')}`)
    .toSorted();
}

function described({ paths }: Document): string[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .toSorted();
}

describe('the OpenAPI document', () => {
  it('is JSON and public', () => {
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/json; charset=utf-8']);
  });

  it('describes exactly the operations of the router', () => {
    assert.deepEqual([...described(document), 'GET /openapi.json'].toSorted(), routed(service));
    assert.equal(new Set(routed(service)).size, everyOperation.length + 1);
  });

  it('describes every route in production, and no development route', async () => {
    const config = { ...service.deps.config, development: false };
    const production = createService({ ...service.deps, config }, { operatorKey });
    const served = await production.app.fetch(new Request('http://localhost/api/v1/openapi.json'));
    const inProduction = described((await served.json()) as Document);
    assert.deepEqual([...inProduction, 'GET /openapi.json'].toSorted(), routed(production));
    assert.deepEqual(
      described(document).filter((route) => !inProduction.includes(route)),
      ['POST /dev/faucet'],
    );
    production.app.stop();
  });

  it('passes redocly’s recommended rules without errors and with one accepted warning', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'concours-openapi-'));
    await writeFile(join(folder, 'openapi.json'), text);
    const cli = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js');
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [cli, 'lint', 'openapi.json', '--extends=recommended', '--format=json'],
      { cwd: folder, env },
    );
    type Problem = { ruleId: string; message: string };
    const { totals, problems } = JSON.parse(stdout) as { totals: object; problems: Problem[] };
    assert.deepEqual(totals, { errors: 0, warnings: 1, ignored: 0 });
    // Both paths are required. An id is a UUID, so it is never `projects` or `public`, and no request matches both
    // paths.
    assert.equal(problems[0]?.ruleId, 'no-ambiguous-paths');
    assert.match(problems[0].message, /`\/agents\/\{agent_id\}\/public` and `\/agents\/projects\/\{projectId\}`/);
    await rm(folder, { recursive: true });
  });

  it('describes the webhook events', () => {
    const { post } = document.webhooks['projectOpen']!;
    const sent = post!.requestBody.content['application/json']!;
    assert.deepEqual(sent.schema, { $ref: '#/components/schemas/WebhookEvent' });
    assert.ok(document.components.schemas['WebhookEvent']);
  });

  it('lists every code of every operation under its status', () => {
    for (const spec of everyOperation) {
      const { operationId, responses } = document.paths[spec.path]![spec.method]!;
      assert.equal(operationId, spec.id);
      const listed = new Set<string>();
      for (const [status, { content }] of Object.entries(responses).filter(([code]) => Number(code) >= 400)) {
        const codes = JSON.stringify(content).match(/"enum":(\[[^\]]+\])/)!;
        for (const code of JSON.parse(codes[1]!) as (keyof typeof errorStatus)[]) {
          listed.add(code);
          const others = { VALIDATION_ERROR: ['408', '413', '415'], INTERNAL_ERROR: ['503'] }[code as string] ?? [];
          assert.ok([String(errorStatus[code]), ...others].includes(status), `${spec.id} ${status} ${code}`);
        }
      }
      assert.deepEqual([...listed].toSorted(), errorsOf(spec), spec.id);
    }
  });

  it('has the same operations and schemas as the single-operation documents that tests check answers against', () => {
    for (const spec of everyOperation) {
      const { paths, components } = documentOf(spec);
      assert.deepEqual(document.paths[spec.path]![spec.method], paths[spec.path]![spec.method]);
      for (const [name, schema] of Object.entries(components.schemas))
        assert.deepEqual(document.components.schemas[name], schema, name);
    }
  });

  it('describes answers strictly: it rejects an additional or missing member', () => {
    const flawOf = createAnswerReader();
    const spec = everyOperation.find(({ id }) => id === 'revokeKey')!;
    const answer = (data: object) => ({
      status: 200,
      headers: new Headers(),
      body: { success: true, data, error: null },
    });
    assert.equal(flawOf(spec, answer({ message: 'Done', keyId: 'x' })), null);
    assert.match(flawOf(spec, answer({ message: 'Done', keyId: 'x', secret_hash: 'y' })) ?? '', /secret_hash/);
    assert.match(flawOf(spec, answer({ message: 'Done' })) ?? '', /keyId/);
    assert.match(flawOf(spec, { ...answer({}), status: 418 }) ?? '', /not in the document/);
  });

  it('has no operation without tests of its domain', () => {
    const covered = [
      'Agents',
      'Wallet',
      'Keys',
      'Projects',
      'Submissions',
      'History',
      'Analytics',
      'Leaderboard',
      'Webhooks',
      'Email',
      'Posters',
      'Sessions',
      'Terms',
      'Judging',
      'Network',
      'Operator',
    ];
    assert.deepEqual(new Set(everyOperation.map(({ tag }) => tag)), new Set(covered));
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
  assert.deepEqual(errors, []);
});
