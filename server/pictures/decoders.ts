let restricted: Promise<void> | null = null;

/**
 * Every loader off but three: what is no JPEG, PNG or WebP reaches no parser, whatever it pretends to be. libvips keeps
 * that for the whole process, so it is said once, before the first thread that decodes: a thread that said it at its own
 * start would, for a moment, forbid what the others are decoding, and a good picture would be called damaged.
 */
export function restrictDecoders(): Promise<void> {
  return (restricted ??= restrict());
}

async function restrict(): Promise<void> {
  // Whoever decodes nothing does not load it.
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
  });
}
