import { ConcoursError } from '../errors.ts';
import { sha256Of } from '../files.ts';
import { readAnswer, type Service } from '../service.ts';
import type { DeliveryAnswer, OwnProject } from '../wire.ts';

/** An original file of the winning entry. */
export type DeliveredFile = Omit<DeliveryAnswer['files'][number], 'url'> & {
  /** Downloads the file and compares it with `sha256`. @throws ConcoursError CHECKSUM_MISMATCH */
  read(): Promise<Uint8Array<ArrayBuffer>>;
};

export type Delivery = {
  submission_id: string;
  files: DeliveredFile[];
  licence: DeliveryAnswer['licence'];
  /** A compact JWS that proves the purchase. `concours verify` checks it. */
  manifest: string | null;
};

/** @throws ConcoursError NOT_AWARDED before the prize is settled */
export async function receiveDelivery(service: Service, project: OwnProject): Promise<Delivery> {
  const { id, winner_submission_id: winner } = project;
  if (winner === null) throw new ConcoursError('NOT_AWARDED', `The project ${id} has no winner.`);
  const path = `/posters/me/projects/${id}/submissions/${winner}/delivery`;
  const first = await service.call<DeliveryAnswer>('GET', path);
  // A URL works for five minutes. A download that begins later needs new ones.
  const urlOf = async (item: number) => {
    const { files } = await service.call<DeliveryAnswer>('GET', path);
    return files.find((file) => file.item === item)?.url ?? '';
  };
  const files = first.files.map(({ url, ...file }) => ({
    ...file,
    async read() {
      const bytes = (await download(service, url)) ?? (await download(service, await urlOf(file.item)));
      if (bytes && (await sha256Of(bytes)) === file.sha256) return bytes;
      throw new ConcoursError(
        'CHECKSUM_MISMATCH',
        `The download of ${file.file_name} is not the file that was judged.`,
      );
    },
  }));
  return { submission_id: winner, files, licence: first.licence, manifest: first.manifest };
}

/** Null if the URL has expired. */
async function download(service: Service, url: string): Promise<Uint8Array<ArrayBuffer> | null> {
  return await service.retry(async () => {
    const response = await service.transfer(url, {});
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    const { error } = await readAnswer(response);
    if (error && error.status !== 403) throw error;
    return null;
  });
}
