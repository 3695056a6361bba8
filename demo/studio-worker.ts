import { parentPort } from 'node:worker_threads';
import sharp from 'sharp';
import type { Artist } from './cast.ts';
import { paint } from './picture.ts';
import type { DrawnPicture } from './studio.ts';
import { styles } from './styles.ts';

// Each thread draws one picture at a time. More threads inside libvips would only take turns.
sharp.concurrency(1);

parentPort?.on('message', (artist: Artist) => void answer(artist));

async function answer({ style, name, seed = name, size, encoding }: Artist): Promise<void> {
  let drawn: DrawnPicture;
  try {
    drawn = { picture: await paint(styles[style], seed, size, encoding) };
  } catch (error) {
    drawn = { failure: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(drawn, []);
}
