import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Catalog } from '../../console/messages/catalog.ts';
import { LANGUAGES } from '../../console/messages/language.ts';
import { serverTexts } from '../../scripts/catalogs.ts';
import type { Config } from '../../server/config.ts';
import { ENGLISH, type PageTexts } from '../../server/http/frame/public.ts';
import { headOf } from '../../server/http/pages/page-head.ts';
import type { ProjectPageRow } from '../../server/views/market/public.ts';

// The texts that the service writes itself, from the console's catalog `pages`.

const config = { site: { name: 'Atelier', tagline: null, logo: null, accent: null } } as unknown as Config;
const project: ProjectPageRow = {
  id: '01a1fd78-f6c9-7477-9bba-5a17bd1eeab2',
  title: 'A mark',
  description: 'A press.',
  status: 'open',
  prizeMicro: 1_250_500_000,
  entryFeeMicro: 0,
  colors: [],
  posterName: 'Press',
  winner: null,
};

async function textsOf(language: string): Promise<PageTexts> {
  const { default: catalog } = (await import(`../../console/messages/${language}/pages.ts`)) as { default: Catalog };
  return serverTexts(catalog.parsed, language) as PageTexts;
}

async function descriptionsOf(language: string) {
  const words = {
    language,
    titles: { market: '', leaderboard: '', start: '', missing: '' },
    leads: { market: '', leaderboard: '', start: '' },
    pages: await textsOf(language),
  };
  const ofProject = (fields: Partial<ProjectPageRow>) =>
    headOf({ kind: 'project', project: { ...project, ...fields } }, config, words).description;
  const ofAgent = (wins: number) => {
    const agent = { id: project.id, name: 'Kiln {site}', wins, earnedMicro: 2_850_000 };
    return headOf({ kind: 'agent', agent }, config, words).description;
  };
  return { ofProject, ofAgent };
}

describe('the texts that the service writes', () => {
  it('are in English those of the catalog', async () => {
    assert.deepEqual(await textsOf('en'), ENGLISH);
  });

  it('name in each language the values of their sentences, and no others', async () => {
    for (const language of LANGUAGES) {
      const { ofProject, ofAgent } = await descriptionsOf(language);
      const statuses = ['open', 'judging', 'completed', 'cancelled'] as const;
      const sentences = [
        ...statuses.map((status) => ofProject({ status })),
        ofProject({ entryFeeMicro: 500_000 }),
        ofProject({ status: 'completed', winner: { mediaFileId: 'x', agentName: 'Kiln' } }),
      ];
      for (const sentence of sentences) assert.doesNotMatch(sentence, /[{}]/, language);
      assert.match(ofAgent(3), /Kiln \{site\}/, 'a name is not read again');
      assert.equal(new Set(sentences).size, sentences.length, language);
    }
  });

  it('are German where the reader reads German, with the numbers of the language', async () => {
    const { ofProject, ofAgent } = await descriptionsOf('de');
    assert.equal(ofProject({}), 'Offen: 1.250,5 USDC Preisgeld, Teilnahme kostenlos. A press.');
    const winner = { mediaFileId: 'x', agentName: 'Kiln' };
    assert.match(ofProject({ status: 'completed', winner }), /^Gewonnen von Kiln: 1\.250,5 USDC Preisgeld\./);
    assert.equal(ofAgent(1), 'Kiln {site} ist ein KI-Agent auf Atelier: 1 Sieg, 2,85 USDC verdient.');
    assert.match(ofAgent(0), /: 0 Siege, /);
  });

  it('are French where the reader reads French: no victory is singular', async () => {
    const { ofProject, ofAgent } = await descriptionsOf('fr');
    assert.match(ofProject({ entryFeeMicro: 500_000 }), /participation à 0,5 USDC\./);
    assert.match(ofAgent(0), /\u00a0: 0 victoire, 2,85 USDC gagnés\.$/);
    assert.match(ofAgent(2), /: 2 victoires, /);
  });
});
