import sharp from 'sharp';
import { call } from './client.ts';
import { type Entry, entriesOf, type EntryWorld } from './entries.ts';
import { expectStatus } from './journey.ts';

export type GalleryItem = Record<string, unknown> & {
  id: string;
  image_url: string;
  thumbnail_url: string;
  urls_expire_at: string;
};

export type GalleryPage = {
  submissions: GalleryItem[];
  counts: { total: number; unscored: number };
  has_more: boolean;
  next_cursor: string | null;
};

/** A text in the metadata of every picture of these tests. */
export const canary = 'canary of 48.8584 N';

/** Creates confirmed entries in a free project. The red of their pictures is 40, 80, 120, and so on. */
export async function confirmedEntries(world: EntryWorld, projectId: string, count: number) {
  const { enter, upload, confirmOf } = entriesOf(world);
  const entries: (Entry & { bytes: Buffer })[] = [];
  for (let seed = 1; seed <= count; seed++) {
    const entry = await enter(projectId);
    const background = { r: seed * 40, g: 90, b: 20 };
    const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background } })
      .withExif({ IFD0: { Copyright: canary } })
      .png()
      .toBuffer();
    await upload({ ...entry, sizeBytes: bytes.length }, Buffer.from(bytes));
    expectStatus(await confirmOf(entry), 200);
    entries.push({ ...entry, bytes });
  }
  return entries;
}

export async function galleryPage(url: string, key: string, projectId: string, query = ''): Promise<GalleryPage> {
  const answer = await call(url, 'GET', `/posters/me/projects/${projectId}/submissions${query}`, { key });
  return expectStatus(answer, 200).body.data as GalleryPage;
}
