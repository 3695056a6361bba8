// The two drivers of the `Storage` port: the public interface of storage/.

export { createDiskStorage } from './disk.ts';
export { createS3Storage } from './s3.ts';
