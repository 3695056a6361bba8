import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './planted-tree.ts';

// The rule holds for the commits after this one.
const SINCE = 'aa7924287da942e85516a6f2734a1620ec1339be';
const LONGEST_SUBJECT = 72;

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Returns what is wrong with the commits after `since`, as `hash fault`; null if the clone does not have that commit. */
function commitFaults(cwd: string, since: string): string[] | null {
  try {
    git(cwd, 'merge-base', '--is-ancestor', since, 'HEAD');
  } catch {
    return null;
  }
  return git(cwd, 'log', '--no-merges', '-z', '--format=%h%n%s%n%b', `${since}..HEAD`)
    .split('\0')
    .filter(Boolean)
    .flatMap((commit) => {
      const [hash = '', subject = '', ...body] = commit.split('\n');
      const length = Array.from(subject).length;
      return [
        ...(length > LONGEST_SUBJECT ? [`${hash} has a subject of ${length} characters`] : []),
        ...(body.join('').trim() === '' ? [`${hash} has no body with its reason`] : []),
      ];
    });
}

test('every commit has a short subject, and its reason in the body', (t) => {
  const faults = commitFaults(root, SINCE);
  if (faults === null) t.skip('this clone lacks the history');
  else assert.deepEqual(faults, []);
});

test('a long subject and a missing body are named, and merges need neither', async (t) => {
  const repository = await mkdtemp(join(tmpdir(), 'concours-commits-'));
  t.after(() => rm(repository, { recursive: true, force: true }));
  const identity = ['-c', 'user.name=A maintainer', '-c', 'user.email=maintainer@example.com'];
  const commit = (...messages: string[]) => {
    const parts = messages.flatMap((message) => ['--message', message]);
    git(repository, ...identity, 'commit', '--quiet', '--allow-empty', ...parts);
    return git(repository, 'rev-parse', '--short', 'HEAD').trim();
  };
  git(repository, 'init', '--quiet', '--initial-branch', 'main');
  commit('a'.repeat(100));
  const first = git(repository, 'rev-parse', 'HEAD').trim();
  git(repository, 'switch', '--quiet', '--create', 'side');
  commit('é'.repeat(LONGEST_SUBJECT), 'A reason.');
  git(repository, 'switch', '--quiet', 'main');
  commit('other work', 'A reason.');
  git(repository, ...identity, 'merge', '--quiet', '--no-ff', '--message', 'Merge the side', 'side');
  assert.deepEqual(commitFaults(repository, first), []);
  const long = commit('a'.repeat(LONGEST_SUBJECT + 1), 'A reason.');
  const bare = commit('fixed');
  assert.deepEqual(commitFaults(repository, first), [
    `${bare} has no body with its reason`,
    `${long} has a subject of ${LONGEST_SUBJECT + 1} characters`,
  ]);
  assert.equal(commitFaults(repository, 'f'.repeat(40)), null);
});
