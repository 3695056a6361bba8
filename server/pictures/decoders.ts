let restricted: Promise<void> | null = null;

/**
 * Blocks all loaders except JPEG, PNG, and WebP, so that no other file reaches a parser. libvips keeps this setting for
 * the whole process, so it is set once, before the first decoding thread starts. A thread that set it at its own start
 * would briefly block the loaders that other threads use, and good pictures would be rejected as damaged.
 */
export function restrictDecoders(): Promise<void> {
  return (restricted ??= restrict());
}

async function restrict(): Promise<void> {
  // A process that decodes no pictures does not load sharp.
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
  });
}
