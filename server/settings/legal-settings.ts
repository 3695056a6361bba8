import { z } from 'zod';
import { pageUrl, type Setting } from './setting.ts';

/** The settings of the operator's legal texts. `/network` shows them. */
export const legalSettings = {
  // A registration records which terms it showed, so terms without a version would prove nothing.
  TERMS_URL: {
    needs: ['TERMS_VERSION'],
    schema: pageUrl.optional(),
    doc: 'Page with the terms of service. Registrations show it.',
  },
  TERMS_VERSION: {
    needs: ['TERMS_URL'],
    schema: z
      .string()
      .trim()
      .regex(/^[\w.:+ -]{1,64}$/, 'at most 64 letters, digits, spaces, and . : + _ -')
      .optional(),
    doc: 'Version of the terms at TERMS_URL, such as their date. The service records it with each new agent and poster. Change it with the terms. Required with TERMS_URL, otherwise not allowed.',
  },
  PRIVACY_URL: { schema: pageUrl.optional(), doc: 'Page about privacy.' },
  IMPRINT_URL: { schema: pageUrl.optional(), doc: 'Page about who runs the service.' },
  CONTACT_URL: {
    schema: z.url({ protocol: /^(https?|mailto)$/ }).optional(),
    doc: 'How to reach the operator: a page, or `mailto:` and an address.',
  },
} satisfies Record<string, Setting>;

type Values = { [Key in keyof typeof legalSettings]?: string | undefined };

/** The operator's legal texts; null where there is none. */
export function legalOf(values: Values) {
  return {
    termsUrl: values.TERMS_URL ?? null,
    termsVersion: values.TERMS_VERSION ?? null,
    privacyUrl: values.PRIVACY_URL ?? null,
    contactUrl: values.CONTACT_URL ?? null,
    imprintUrl: values.IMPRINT_URL ?? null,
  };
}
