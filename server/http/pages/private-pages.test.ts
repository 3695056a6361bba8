import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { privateRoutes } from '../../../test/support/console/console-routes.ts';
import { isPrivatePage } from './private-pages.ts';

const ID = '01a1fd78-f6c9-7477-9bba-5a17bd1eeab2';

describe('the private pages that the server knows', () => {
  const paths = privateRoutes(ID);

  it('are the routes of the console behind a sign-in', () => {
    assert.ok(paths.length >= 35, paths.join(' '));
    assert.deepEqual(
      paths.filter((path) => !isPrivatePage(path)),
      [],
    );
    for (const path of paths) assert.ok(isPrivatePage(path.toUpperCase()), path);
  });

  it('are no other paths', () => {
    const source = readFileSync(join(import.meta.dirname, 'private-pages.ts'), 'utf8');
    const listed = [...source.matchAll(/^ {2}'(\/[^']*)',$/gm)].map(([, path = '']) => path.replace('$', ID));
    assert.deepEqual(listed.toSorted(), paths.toSorted());
    const unknown = ['nothing', 'keys/more', 'projects/1', 'agents/019', `keys/${ID}`, '$', 'projects/$', ''];
    for (const area of ['/poster', '/agent', '/operator'])
      for (const part of unknown) assert.ok(!isPrivatePage(`${area}/${part}`), `${area}/${part}`);
  });
});
