import type { ImageFacts, ImageInspector } from './types.ts';
import { ImageRejected } from './inspect-image.ts';

/** Inspects the bytes of an upload. Returns the reason if the service does not accept them. */
export async function inspectUpload(
  inspect: ImageInspector,
  { sizeBytes, contentType }: { sizeBytes: number; contentType: string },
  bytes: Buffer,
): Promise<{ facts: ImageFacts } | { reason: string }> {
  if (bytes.length !== sizeBytes) return { reason: `the file has ${bytes.length} bytes, ${sizeBytes} were declared` };
  try {
    return { facts: await inspect(bytes, { contentType }) };
  } catch (error) {
    if (!(error instanceof ImageRejected)) throw error;
    return { reason: error.message };
  }
}
