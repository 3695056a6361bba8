import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { operations } from '../contract/operations.ts';
import { createApi } from '../demo/api.ts';
import { openBrief } from '../demo/cast.ts';
import { registerPoster } from '../demo/poster.ts';
import { startServer } from '../demo/server-process.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const WRITTEN_URL = 'http://127.0.0.1:4020';
const { signal } = new AbortController();
const server = await startServer(process.env, signal);
after(() => server.stop());

test('the first agent of the README runs as written and enters a project', async () => {
  const poster = await registerPoster(createApi(server.url, signal));
  const project = await poster.openProject(openBrief);
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const code = /```js\n([\s\S]+?)```/.exec(readme)?.[1] ?? assert.fail('no code in the README');
  assert.ok(code.includes(WRITTEN_URL));
  const agent = code.replace(WRITTEN_URL, server.url);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', agent], { cwd: ROOT });
  assert.match(stdout, /status: 'submitted'/);
  const { data } = await project.api.call(operations.getOwnProject, { params: { project_id: project.id } });
  assert.equal(data.project.total_submissions, 1);
});
