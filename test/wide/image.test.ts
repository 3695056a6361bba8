import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../../server/devnet/child-process.ts';
import { run, type RunningProcess, untilReady, watchProcess } from '../support/processes/processes.ts';
import { deployedWorld, playProject, productionProcess } from '../support/worlds/deployed-world.ts';

// The image, built by Buildah from Debian's packages and the registry of npm, and run without rights on a read-only root.

const ROOT = join(import.meta.dirname, '..', '..');
const MOST_MB = 400;
const BASE = `localhost/concours-base:${process.versions.node}`;
const IMAGE = 'localhost/concours-test';
/** What a container runtime does for `--read-only`, `--user`, and `--cap-drop=ALL`: `buildah run` has no such options. */
const CONFINED =
  'mount -o remount,bind,ro / && exec setpriv --reuid=10001 --regid=10001 --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs "$@"';

type Inspected = { Docker: { config: { User: string; Entrypoint: string[]; Healthcheck: { Test: string[] } } } };
type Run = { args: string[]; env?: Record<string, string>; volumes?: string[] };

const buildah = async (...args: string[]) => (await run('buildah', args, { cwd: ROOT, maxBuffer: 1e8 })).stdout.trim();

describe('the image', () => {
  let container = '';
  let image: Inspected['Docker']['config'];
  const started: RunningProcess[] = [];
  const folders: string[] = [];

  before(async () => {
    await buildah('inspect', '--type=image', BASE).catch(() =>
      run('bash', ['deploy/image/base.sh', BASE], { cwd: ROOT }),
    );
    const certificates = process.env['NODE_EXTRA_CA_CERTS'];
    const secret = certificates ? ['--secret', `id=ca,src=${certificates}`] : [];
    const file = ['--build-arg', `BASE=${BASE}`, '--file', 'deploy/image/Containerfile', '--tag', IMAGE];
    await buildah('bud', '--isolation=chroot', '--format=docker', ...secret, ...file, '.');
    image = (JSON.parse(await buildah('inspect', '--type=image', IMAGE)) as Inspected).Docker.config;
    container = await buildah('from', IMAGE);
  });

  after(async () => {
    for (const { kill } of started) await kill('SIGTERM');
    if (container) await buildah('rm', container);
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  /** Runs a program in the container, with a folder of its own for /tmp. The network is that of the machine. */
  async function inside(
    command: string[],
    { env = {}, volumes = [] }: Omit<Run, 'args'> = {},
  ): Promise<RunningProcess> {
    const temporary = await mkdtemp(join(tmpdir(), 'concours-image-'));
    folders.push(temporary);
    await chmod(temporary, 0o777);
    const options = [
      '--isolation=chroot',
      '--user=0',
      '--cap-add=CAP_SYS_ADMIN',
      ...[`${temporary}:/tmp`, ...volumes].flatMap((volume) => ['--volume', volume]),
      ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ];
    const args = ['run', ...options, container, '--', 'sh', '-c', CONFINED, 'sh', ...command];
    const running = watchProcess(spawn('buildah', args, { stdio: ['ignore', 'pipe', 'pipe'] }));
    started.push(running);
    return running;
  }

  const launch = ({ args, ...options }: Run) => inside([...image.Entrypoint, ...args], options);

  it('is small, and its user is not root', async (t) => {
    const [{ size } = { size: '' }] = JSON.parse(await buildah('images', '--json', IMAGE)) as { size: string }[];
    t.diagnostic(`the image has ${size}`);
    const [, megabytes, unit] = /^([\d.]+) ([KMG]B)$/.exec(size) ?? [];
    assert.equal(unit, 'MB');
    assert.ok(Number(megabytes) < MOST_MB, size);
    assert.equal(image.User, '10001:10001');
    const looked = await inside(['sh', '-c', 'id -u; grep CapEff /proc/self/status; touch /app/x || touch /tmp/x']);
    assert.equal(await looked.ended, 0, looked.output());
    assert.match(looked.output(), /^10001$[^]*^CapEff:\t0+$[^]*Read-only file system/m);
  });

  it('migrates and runs as api and as worker in production, by its argument', async () => {
    const world = await deployedWorld();
    // One by one, as Compose mounts them: the user of the image may not open their folder.
    const names = await readdir(world.secrets);
    const volumes = names.map((name) => `${join(world.secrets, name)}:/run/secrets/${name}:ro`);
    const production = async (role: 'api' | 'worker') => {
      const port = String(await freePort());
      const { args, env } = productionProcess(role, { ...world.settings, PORT: port });
      return { running: await launch({ args, env, volumes }), url: `http://127.0.0.1:${port}`, port };
    };
    const migrated = await launch({
      args: ['migrate'],
      env: { DATABASE_URL_FILE: '/run/secrets/DATABASE_URL' },
      volumes,
    });
    assert.equal(await migrated.ended, 0, migrated.output());
    const both = await Promise.all([production('api'), production('worker')]);
    const [kind, ...command] = image.Healthcheck.Test;
    assert.equal(kind, 'CMD');
    const health = async (port: string) => await (await inside(command, { env: { PORT: port } })).ended;
    for (const { running, url, port } of both) {
      await untilReady(running, url);
      assert.equal(await health(port), 0);
    }
    await playProject(world, both[0].url);
    for (const { running, url, port } of both) {
      await running.kill('SIGTERM');
      await assert.rejects(fetch(url), 'nothing is left of it');
      assert.equal(await health(port), 1);
    }
  });
});
