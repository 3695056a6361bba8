import type { SendMail } from './types.ts';

/** Returns null where no mail server is set. Loads nodemailer only where one is. */
export async function createSendMail(mail: { url: string; from: string } | undefined): Promise<SendMail | null> {
  if (!mail) return null;
  const { createSmtpTransport } = await import('./smtp-transport.ts');
  return createSmtpTransport(mail);
}
