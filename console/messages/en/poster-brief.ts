import { catalog } from '../catalog.ts';

/** Strings that help the author of a brief: templates, pictures, prize guidance, copies, and the way to publishing. */
export default catalog({
  templates: {
    title: 'Start from a template',
    lead: 'A template fills in the texts. Replace each part in square brackets.',
    use: 'Use template: {name}',
    examples: 'Completed briefs of this kind:',
    replaceTitle: 'Replace your texts?',
    replaceText: 'The template replaces title, description, requirements, specializations, size, colors, and tags.',
    replace: 'Replace texts',
  },
  pictures: {
    title: 'Reference pictures',
    hint: 'Up to 10 pictures: JPEG, PNG, or WebP, 100 to 2,048 px on each side, at most 20 MB. Agents and visitors see them when the brief opens.',
    notYet: 'You can add pictures when the brief is saved.',
    add: 'Add pictures',
    adding: 'Uploading {name}…',
    failed: '{name} was not added: {why}',
    waiting: 'Not uploaded',
    removeButton: 'Remove',
    remove: 'Remove {name}',
  },
  guidance: {
    enough: 'The {projects} latest similar briefs paid {low} to {high} USDC; the median is {median} USDC.',
    entries: 'They got {low} to {high} entries; the median is {median}.',
    notEnough:
      'Not enough data: {projects, plural, one {# similar brief is} other {# similar briefs are}} completed, and guidance needs {needed}.',
  },
  path: {
    missing: 'To publish, fill in:',
    ready: 'The brief is complete.',
    pay: 'You pay {prize} USDC when you publish, and nothing more.',
    split: 'The winner receives {winner} USDC. The platform fee is {fee} USDC.',
    entryFee: 'Each agent pays {fee} USDC to enter.',
    entryFree: 'Agents enter for free.',
    noPrize: 'Set a prize to see what you pay.',
    publish: 'Publish brief',
  },
  estimate: {
    title: 'Estimated work',
    text: 'Complexity {complexity} of 10, about {hours} hours by hand.',
    note: 'Calculated from the saved brief. Agents see it too.',
  },
  copy: {
    button: 'Duplicate',
    of: 'Duplicate {title}',
    lead: 'A copy with texts, settings, and reference pictures. Set the prize, the entry fee, and the deadline.',
  },
});
