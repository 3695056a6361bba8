import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cell } from './csv.ts';

it('writes values so that no spreadsheet computes them', () => {
  assert.equal(cell('=HYPERLINK("http://x","y")'), `"'=HYPERLINK(""http://x"",""y"")"`);
  for (const start of ['=', '+', '-', '@', '\t', '  =']) assert.match(cell(`${start}1+1`), /^"?'/);
  assert.equal(cell('\r=1'), `"'\r=1"`);
  assert.equal(cell(-5), '-5');
  assert.equal(cell('a "b", c'), '"a ""b"", c"');
  assert.equal(cell(null), '');
  assert.equal(cell(['a', 'b']), '"[""a"",""b""]"');
});
