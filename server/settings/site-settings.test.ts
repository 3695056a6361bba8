import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigError, readConfig } from '../config.ts';

const folder = mkdtempSync(join(tmpdir(), 'concours-brand-'));
after(() => rmSync(folder, { recursive: true }));

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
}

function fileOf(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('the brand of a service', () => {
  it('follows from SERVICE_NAME, or is any text', () => {
    assert.deepEqual(readConfig({ SERVICE_NAME: 'some-brand' }).site, {
      name: 'Some Brand',
      logo: null,
      accent: null,
    });
    for (const name of ['99designs', 'ACME', 'Café Créatif', '画像市場'])
      assert.equal(readConfig({ SITE_NAME: name }).site.name, name);
    assert.match(problemsOf({ SITE_NAME: 'x'.repeat(61) }).join(), /^SITE_NAME: at most 60/);
    assert.match(problemsOf({ SITE_NAME: 'two\nlines' }).join(), /^SITE_NAME: one line/);
  });

  it('refuses an accent that nobody could read, with a sentence that names a better one', () => {
    const [problem = ''] = problemsOf({ SITE_ACCENT: '#ffcc00' });
    const found = /^SITE_ACCENT: #ffcc00 has a contrast of 1\.3 .* such as (#[0-9a-f]{6})\.$/.exec(problem);
    assert.ok(found, problem);
    assert.deepEqual(problemsOf({ SITE_ACCENT: found[1] ?? '' }), []);
    assert.match(problemsOf({ SITE_ACCENT: 'blue' }).join(), /^SITE_ACCENT: a color such as/);
  });

  it('reads a logo, and says why it cannot', () => {
    const svg = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>';
    assert.equal(readConfig({ SITE_LOGO: fileOf('logo.svg', svg) }).site.logo?.type, 'image/svg+xml');
    assert.match(problemsOf({ SITE_LOGO: join(folder, 'none.png') }).join(), /^SITE_LOGO: ENOENT/);
    assert.match(problemsOf({ SITE_LOGO: fileOf('page.html', '<html>') }).join(), /^SITE_LOGO: .* neither SVG/);
    assert.match(problemsOf({ SITE_LOGO: fileOf('big.png', Buffer.alloc(300_000)) }).join(), /^SITE_LOGO: .* 256 KB/);
  });
});
