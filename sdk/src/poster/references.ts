import { ConcoursError } from '../errors.ts';
import { type FileSource, type Picture, readPicture, sha256Of } from '../files.ts';
import type { ProjectRef } from '../agent.ts';
import type { Service } from '../service.ts';
import { uploadTo } from '../upload.ts';
import type { Reference } from '../wire.ts';

type Cancel = { signal?: AbortSignal };

/** The reference pictures of a brief. They can change while it is a draft. */
export type References = {
  list(project: ProjectRef): Promise<Reference[]>;
  /**
   * Uploads a picture and attaches it to a draft. The service inspects it like an entry. Safe to repeat: the same bytes are
   * attached once.
   */
  add(project: ProjectRef, file: FileSource, options?: Cancel): Promise<Reference>;
  remove(project: ProjectRef, referenceId: string): Promise<void>;
};

type OneReference = { reference: Reference };

export function referencesOf(service: Service, pathOf: (project: ProjectRef) => string): References {
  const all = (project: ProjectRef) => `${pathOf(project)}/references`;
  const one = (project: ProjectRef, id: string) => `${all(project)}/${encodeURIComponent(id)}`;
  const list = async (project: ProjectRef) =>
    (await service.call<{ references: Reference[] }>('GET', pathOf(project))).references;

  async function remove(project: ProjectRef, id: string): Promise<void> {
    const { error } = await service.exchange('DELETE', one(project, id));
    // The answer to an earlier try was lost.
    if (error && error.code !== 'MEDIA_FILE_NOT_FOUND') throw error;
  }

  return {
    list,
    remove,

    async add(project, file, { signal } = {}) {
      const picture = await readPicture(file, 1);
      const sha256 = await sha256Of(picture.bytes);
      for (const known of await list(project)) {
        if (known.picture?.sha256 === sha256) return known;
        // An earlier call stopped before its upload was confirmed. Its place is free again.
        if (known.status === 'pending' && isOf(known, picture)) await remove(project, known.id);
      }
      const body = { fileName: picture.name, fileType: picture.type, fileSize: picture.bytes.length };
      const added = await service.call<OneReference & { upload_url: string }>('POST', all(project), { body, signal });
      await uploadTo(service, added.upload_url, picture, { signal });
      const path = `${one(project, added.reference.id)}/confirm`;
      const { data, error } = await service.exchange<OneReference>('POST', path, { signal });
      if (!error) return data.reference;
      if (error.code !== 'VALIDATION_ERROR') throw error;
      const message = `The service refused the picture: ${error.message}`;
      throw new ConcoursError('FILE_INVALID', message, { status: error.status ?? undefined, cause: error });
    },
  };
}

function isOf({ file_name: name, size_bytes: size }: Reference, picture: Picture): boolean {
  return name === picture.name && size === picture.bytes.length;
}
