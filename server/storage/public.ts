// The two drivers of the `Storage` port, and removing many objects: the public interface of storage/.

export { createDiskStorage } from './disk.ts';
export { createS3Storage } from './s3.ts';
export { removeEach } from './remove-each.ts';
