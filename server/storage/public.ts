// What storage/ offers to other folders; everything else in it is private.

export { createDiskStorage } from './disk.ts';
export { createS3Storage } from './s3.ts';
