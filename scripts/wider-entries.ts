import { randomInt } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// node scripts/wider-entries.ts FOLDER SECONDS FILE...
// Writes an entry for each test file of .ci/run into FOLDER; the runner starts them in the order of their names. An entry
// whose turn comes later than in SECONDS leaves its file out, visibly: .ci/run must end within an hour, and some
// machines are five times slower than others (docs/decisions/0326). The longest files come first. The order of the others
// begins with another file each time, so that a slow machine leaves out others each time.

const [folder = '', seconds = '0', ...files] = process.argv.slice(2);
const until = Date.now() + Number(seconds) * 1_000;

/** These files take a minute or more. If one of them started last, the other cores would wait for it. */
const LONG = ['chaos', 'console-dialogs', 'console-sizes', 'console-operator', 'delivery-matrix-s3', 'rolling-upgrade'];
const isLong = (file: string) => LONG.includes(basename(file, '.test.ts'));

const [long, others] = [files.filter(isLong), files.filter((file) => !isLong(file))];
const first = randomInt(others.length);
const ordered = [...long, ...others.slice(first), ...others.slice(0, first)];

mkdirSync(folder, { recursive: true });
for (const [index, file] of ordered.entries()) {
  const name = `${String(index).padStart(3, '0')}-${basename(file, '.test.ts')}.test.mjs`;
  const url = JSON.stringify(pathToFileURL(resolve(file)).href);
  const entry = `import { test } from 'node:test';
if (Date.now() < ${until}) await import(${url});
else test(${JSON.stringify(file)}, { skip: 'the machine is slow, and the hour of .ci/run ends' });
`;
  writeFileSync(join(folder, name), entry);
}
