import assert from 'node:assert/strict';
import { after, describe, it, mock } from 'node:test';
import { FeedbackKeeper } from '../../console/poster/judging/feedback-keeper.ts';
import { readOpenedEntries } from '../../console/components/viewing/opened-entries.ts';
import { bounded, FITTED, zoomedAt } from '../../console/poster/viewer/zoom.ts';

// Tests the logic of the workspace in which posters judge, without a browser.

const [ONE, TWO] = ['01a1fd68-1a1d-7b89-b14d-8a21a36746c2', '01a1fd68-1a1d-7b89-b14d-8a21a36746c3'];

type Answer = 'saved' | 'refused' | 'lost';

/** A keeper with copies in a map, and a service that a test switches off. */
function scene(copies = new Map<string, string>()) {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
  const service = { answer: 'saved' as Answer, drafts: [] as string[] };
  const keeper = new FeedbackKeeper({
    copies: {
      load: () => [...copies],
      store: (id, text) => void copies.set(id, text),
      remove: (id) => void copies.delete(id),
    },
    save: async (_, text) => {
      if (service.answer === 'lost') throw new Error('no connection');
      if (service.answer === 'saved') service.drafts.push(text);
      return service.answer === 'saved';
    },
    pauseMs: 800,
    retryMs: 3_000,
  });
  keeper.start();
  const pass = async (ms: number) => {
    mock.timers.tick(ms);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return { keeper, service, copies, pass };
}

describe('feedback that a poster types', () => {
  after(() => mock.timers.reset());

  it('is in the browser at once, and on the service after a pause', async () => {
    const { keeper, service, copies, pass } = scene();
    keeper.type(ONE, 'C');
    keeper.type(ONE, 'Calm');
    assert.deepEqual([...copies], [[ONE, 'Calm']]);
    await pass(799);
    assert.deepEqual(service.drafts, []);
    await pass(1);
    assert.deepEqual([service.drafts, [...copies], keeper.stateOf(ONE)], [['Calm'], [], 'saved']);
  });

  it('is saved at once when the poster leaves the field', async () => {
    const { keeper, service, pass } = scene();
    keeper.type(ONE, 'Calm');
    keeper.flush(ONE);
    await pass(0);
    assert.deepEqual(service.drafts, ['Calm']);
  });

  it('stays in the browser while the service is down, and is saved when it is back', async () => {
    const { keeper, service, copies, pass } = scene();
    service.answer = 'lost';
    keeper.type(ONE, 'Calm');
    await pass(800);
    assert.deepEqual([keeper.stateOf(ONE), keeper.textOf(ONE), [...copies]], ['offline', 'Calm', [[ONE, 'Calm']]]);
    service.answer = 'saved';
    await pass(3_000);
    assert.deepEqual([service.drafts, [...copies]], [['Calm'], []]);
  });

  it('survives a closed tab: the next visit saves it', async () => {
    const first = scene();
    first.service.answer = 'lost';
    first.keeper.type(ONE, 'Calm');
    first.keeper.stop();
    const next = scene(first.copies);
    assert.equal(next.keeper.textOf(ONE), 'Calm');
    await next.pass(0);
    assert.deepEqual([next.service.drafts, [...next.copies]], [['Calm'], []]);
  });

  it('stays in the browser if the service refuses it', async () => {
    const { keeper, service, copies, pass } = scene();
    service.answer = 'refused';
    keeper.type(ONE, 'Calm');
    await pass(10_000);
    assert.deepEqual([keeper.stateOf(ONE), [...copies], service.drafts], ['failed', [[ONE, 'Calm']], []]);
  });

  it('is not saved as a draft once it is sent, and stays one if sending fails', async () => {
    const { keeper, service, copies, pass } = scene();
    keeper.type(ONE, 'Calm');
    const failed = keeper.send(ONE, async () => {
      throw new Error('refused');
    });
    await assert.rejects(failed);
    assert.equal(copies.get(ONE), 'Calm');
    await pass(3_000);
    assert.deepEqual(service.drafts, ['Calm']);
    keeper.type(ONE, 'Calm water');
    await keeper.send(ONE, async () => {});
    await pass(10_000);
    assert.deepEqual([service.drafts, [...copies], keeper.stateOf(ONE)], [['Calm'], [], 'none']);
  });

  it('keeps what the poster types while a text is sent', async () => {
    const { keeper, service, copies, pass } = scene();
    keeper.type(ONE, 'Calm');
    await keeper.send(ONE, async () => keeper.type(ONE, 'Calm water'));
    assert.equal(copies.get(ONE), 'Calm water');
    await pass(800);
    assert.deepEqual([service.drafts, [...copies]], [['Calm water'], []]);
  });
});

describe('the opened entries in the address', () => {
  it('is one entry, or two to four', () => {
    assert.deepEqual(readOpenedEntries({ entry: ONE, other: 1 }), { entry: ONE });
    assert.deepEqual(readOpenedEntries({ compare: `${ONE}_${TWO}` }), { compare: `${ONE}_${TWO}` });
    for (const wrong of [{ entry: 'x' }, { compare: ONE }, { compare: [ONE, TWO, ONE, TWO, ONE].join('_') }, {}])
      assert.deepEqual(readOpenedEntries(wrong), {});
  });
});

describe('the shared zoom', () => {
  it('keeps the point under the pointer, its bounds, and the pictures in their frames', () => {
    // The point at 20% shows what was at 20% of the fitted picture: 20 = offset + scale × 20.
    assert.deepEqual(zoomedAt(FITTED, 2, { x: 20, y: -10 }), { scale: 2, x: -20, y: 10 });
    assert.deepEqual(zoomedAt({ scale: 2, x: 50, y: 50 }, 0.5), FITTED);
    assert.equal(zoomedAt(FITTED, 100).scale, 8);
    assert.deepEqual(bounded({ scale: 2, x: 90, y: -90 }), { scale: 2, x: 50, y: -50 });
    assert.deepEqual(bounded({ scale: 0.5, x: 3, y: 3 }), FITTED);
  });
});
