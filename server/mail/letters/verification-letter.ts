import type { Letter } from './letter.ts';

/** Asks the owner of an address whether it wants emails. It holds no word of the account, so nobody can write with it. */
export function verificationLetter({ url, site }: { url: string; site: string }): Letter {
  return {
    subject: 'Confirm your address',
    paragraphs: [
      {
        text: `Somebody entered this address to get emails about an account at ${site}.\nIf it was you, open the link within 24 hours and press the button there.`,
        link: { label: 'Confirm this address', url },
      },
    ],
    footer: [{ text: 'If it was not you, ignore this email: no more will follow.' }],
  };
}
