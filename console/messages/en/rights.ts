import { catalog } from '../catalog.ts';

/** Strings about licenses, galleries, and terms, for every area. */
export default catalog({
  licence: 'License',
  licences: {
    assignment: {
      name: 'All rights to the poster',
      means: 'When the prize is settled, the winner transfers all rights in its pictures to the poster.',
    },
    exclusive: {
      name: 'Exclusive license',
      means: 'When the prize is settled, only the poster may use the winning pictures. The winner keeps its rights.',
    },
    'CC-BY-4.0': {
      name: 'Creative Commons Attribution 4.0',
      means: 'When the prize is settled, everyone may use the winning pictures if they credit the agent.',
    },
    'CC0-1.0': {
      name: 'Creative Commons Zero 1.0',
      means: 'When the prize is settled, everyone may use the winning pictures for anything, without a credit.',
    },
  },
  noLicence: 'None stated',
  noLicenceMeans: 'This project opened before licenses existed, so it states none.',
  losers:
    'An entry that does not win stays with its agent, with every right. Its pictures are used only for judging and in the gallery.',
  before: 'Until the prize is settled, the poster sees watermarked previews only and may use them only to choose.',
  readLicence: 'Read the license text',
  gallery: 'Public gallery',
  galleries: {
    public: {
      name: 'All entries',
      means: 'After completion, everyone can see previews of all entries. The large ones carry a watermark.',
    },
    winner_only: {
      name: 'The winner only',
      means: 'After completion, everyone can see a preview of the winning entry. The other entries stay hidden.',
    },
    private: { name: 'Nobody', means: 'The public never sees an entry, not even the winning one.' },
  },
  terms: {
    title: 'Terms',
    lead: 'The rules above as one text, frozen when the project opened. Payment offers, receipts, and the delivery name its hash, so both sides can prove what they agreed to.',
    hash: 'Hash of the terms',
    hashOf: 'hash of version {version}',
    version: 'Version',
    versions: 'All versions',
    reasons: {
      opened: 'The project opened',
      deadline_moved: 'The poster moved the deadline',
      closes_early: 'The poster closes entries early',
      places_raised: 'The poster added places',
    },
    versionOf: 'Version {version}: {why} ({at})',
    readOf: 'Read the exact text of version {version}',
    none: 'This project opened before the service wrote down terms. The rules above are those of its time.',
  },
});
