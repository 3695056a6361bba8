import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attachment, safeFileName } from './file-names.ts';

test('a download keeps the name that its agent gave, if a file may have it', () => {
  for (const [name, type] of [
    ['entry.png', 'image/png'],
    ['Leuchtturm bei Nacht (2).PNG', 'image/png'],
    ['灯台.webp', 'image/webp'],
    ['a.b.jpeg', 'image/jpeg'],
    ['100% "sure".jpg', 'image/jpeg'],
  ] as const)
    assert.equal(safeFileName(name, type), name.replaceAll('"', '_'));
});

test('a download has no name that deceives or that a system refuses', () => {
  const changed = {
    'invoice.exe': 'invoice.exe.png',
    'a\u202egnp.exe': 'agnp.exe.png',
    '..png': '_png.png',
    '.htaccess.png': '_htaccess.png',
    'con:stream.png': 'con_stream.png',
    'a/../b.png': 'a_.._b.png',
    'line\nbreak.png': 'linebreak.png',
    'lone\ud800.png': 'lone\ufffd.png',
  };
  for (const [name, safe] of Object.entries(changed)) assert.equal(safeFileName(name, 'image/png'), safe);
});

test('the header of a download cannot be broken by a name', () => {
  assert.equal(attachment('entry.png'), `attachment; filename="entry.png"; filename*=UTF-8''entry.png`);
  assert.equal(
    attachment(`50% 'off' ü"\\.png`),
    `attachment; filename="50_ 'off' ___.png"; filename*=UTF-8''50%25%20%27off%27%20%C3%BC%22%5C.png`,
  );
  for (const name of ['a\r\nx: y.png', '灯\u2028台.png', '"; filename="x.exe'])
    assert.match(attachment(name), /^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.%!~-]*$/);
});
