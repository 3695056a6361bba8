import { ConcoursError } from './errors.ts';
import type { Picture } from './files.ts';
import type { Request, Service } from './service.ts';

/** Uploads a picture to the URL that the service gave. Storing the same bytes twice changes nothing, so it is repeated. */
export async function uploadTo(
  service: Service,
  url: string,
  { type, bytes }: Picture,
  request: Pick<Request, 'signal' | 'onWait'> = {},
): Promise<void> {
  await service.retry(async () => {
    const init = { method: 'PUT', headers: { 'content-type': type }, body: bytes };
    const response = await service.transfer(url, init, request.signal);
    if (response.ok) return;
    const message = `The storage refused the picture with ${response.status}: ${(await response.text()).slice(0, 200)}`;
    throw new ConcoursError('UPLOAD_FAILED', message, { status: response.status });
  }, request);
}
