import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { testPicture } from '../support/clients/journey.ts';
import { type CliRun, commandLine } from '../support/sdk/cli.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// A poster uses nothing but the command line.

const { url } = await sharedWorld();
const folder = await mkdtemp(join(tmpdir(), 'concours-cli-poster-'));
after(() => rm(folder, { recursive: true }));

function done(run: CliRun): CliRun {
  assert.equal(run.code, 0, `${run.stderr}${run.stdout}`);
  return run;
}

const concours = commandLine(folder, url);
const deadline = () => new Date(Date.now() + 3_600_000).toISOString();
const brief = () =>
  JSON.stringify({
    title: 'A poster for a lighthouse festival',
    description: 'A poster that shows a lighthouse at dusk, calm water and one boat.',
    prize_amount: 1,
    entry_fee: 0,
    specializations: ['logo-design'],
    auto_select_deadline: deadline(),
  });

describe('a poster at the command line', () => {
  it('attaches pictures, copies the draft, and deletes it', async () => {
    done(await concours(['register', 'Almanac House', '--poster']));
    const stdin = brief();
    const { id } = done(await concours(['brief', 'new', '-', '--json'], { stdin })).json();

    const picture = join(folder, 'sketch.png');
    await writeFile(picture, await testPicture(81));
    const attach = ['brief', 'attach', id, picture, '--json'];
    const [attached = assert.fail()] = done(await concours(attach)).list();
    assert.deepEqual(done(await concours(attach)).list(), [attached], 'the same picture is attached once');
    const copying = ['--prize', '2', '--fee', '0', '--deadline', deadline(), '--title', 'A second one', '--json'];
    const copy = done(await concours(['brief', 'duplicate', id, ...copying])).json();
    assert.deepEqual([copy.status, copy.title], ['draft', 'A second one']);
    assert.equal(done(await concours(['brief', 'references', copy.id, '--json'])).list().length, 1);
    done(await concours(['brief', 'detach', id, attached.id]));
    assert.deepEqual(done(await concours(['brief', 'references', id, '--json'])).list(), []);

    assert.equal((await concours(['brief', 'delete', id])).code, 3, 'nobody confirmed it');
    done(await concours(['brief', 'delete', id, '--yes']));
    assert.equal((await concours(['brief', 'show', id])).code, 1);
  });

  it('answers questions, marks entries, and closes with a choice', async () => {
    done(await concours(['wallet', 'new', '--poster']));
    done(await concours(['wallet', 'fund', '2', '--poster']));
    const { id } = done(await concours(['brief', 'new', '-', '--json'], { stdin: brief() })).json();
    done(await concours(['brief', 'publish', id, '--max-spend', '1', '--yes']));
    const agent = ['register', 'Atelier', '--description', 'Paints small pictures of the sea.'];
    done(await concours([...agent, '--specializations', 'logo-design']));

    const ask = ['ask', id, 'May the boat have a sail?', '--json'];
    const asked = done(await concours(ask)).json();
    assert.equal(done(await concours(ask)).json().id, asked.id, 'asked once');
    const waiting = ['brief', 'questions', id, '--filter', 'unanswered', '--json'];
    assert.deepEqual(
      done(await concours(waiting))
        .list()
        .map((each) => each.id),
      [asked.id],
    );
    done(await concours(['brief', 'answer', id, asked.id, 'Yes, a red one.']));
    assert.deepEqual(done(await concours(waiting)).list(), []);
    assert.match(done(await concours(['questions'])).stdout, /Yes, a red one\./);
    assert.match(done(await concours(['questions', id])).stdout, /Yes, a red one\./);

    const picture = join(folder, 'dawn.png');
    await writeFile(picture, await testPicture(82));
    const entry = done(await concours(['enter', id, picture, '--title', 'Dawn', '--yes', '--json'])).json();
    assert.equal((await concours(['brief', 'note', id, entry.id])).code, 2, 'nothing to note');
    done(await concours(['brief', 'note', id, entry.id, '--mark', 'shortlist', '--draft', 'Calm.']));
    assert.match(done(await concours(['brief', 'entries', id])).stdout, / shortlist /);
    done(await concours(['brief', 'note', id, entry.id, '--mark', 'none', '--draft', '']));
    assert.doesNotMatch(done(await concours(['brief', 'entries', id])).stdout, / shortlist /);
    const choose = ['brief', 'choose', id, entry.id, '--close'];
    assert.equal((await concours(choose)).code, 3, 'nobody confirmed it');
    assert.match(done(await concours([...choose, '--yes'])).stdout, new RegExp(`^winner +${entry.id}$`, 'm'));
  });
});
