import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { callbackify } from 'node:util';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

/** One email as it arrived. `raw`: its bytes. */
export type ReceivedMail = ParsedMail & { raw: string; recipients: string[] };

type Refusal = { code: number; message: string };
type Faults = {
  /** Refuses a recipient. */
  recipient?: (address: string) => Refusal | null;
  /** Refuses an email after its data. */
  data?: () => Refusal | null;
  /** Lets the server wait before it answers the data. */
  hold?: () => Promise<void>;
  /** Calls this after an email was accepted, before the server says so. */
  accepted?: () => void | Promise<void>;
};

export type SmtpServer = {
  /** In the format of SMTP_URL. */
  url: string;
  received: ReceivedMail[];
  faults: Faults;
  /** Returns the emails to an address, oldest first. */
  to(address: string): ReceivedMail[];
  /** Refuses connections until `resume` is called. The address stays the same. */
  pause(): Promise<void>;
  resume(): Promise<void>;
};

/** Starts a real SMTP server on loopback. It keeps every email, and fails as the test wants. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const received: ReceivedMail[] = [];
  const faults: Faults = {};
  let port = 0;
  let server: SMTPServer;
  const listen = async () => {
    server = serverOf(received, faults);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    ({ port } = server.server.address() as AddressInfo);
  };
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  await listen();
  after(close);
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    faults,
    to: (address) => received.filter(({ recipients }) => recipients.includes(address)),
    pause: close,
    resume: listen,
  };
}

function serverOf(received: ReceivedMail[], faults: Faults): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    onRcptTo({ address }, _session, callback) {
      callback(errorOf(faults.recipient?.(address)));
    },
    onData(stream, { envelope }, callback) {
      const recipients = envelope.rcptTo.map(({ address }) => address);
      const take = async () => {
        const mail = await receive(stream, faults);
        const refusal = faults.data?.();
        if (!refusal) received.push({ ...mail, recipients });
        await faults.accepted?.();
        return errorOf(refusal);
      };
      callbackify(take)((error, refusal) => callback(error ?? refusal));
    },
  });
}

async function receive(stream: AsyncIterable<Buffer>, faults: Faults): Promise<Omit<ReceivedMail, 'recipients'>> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  await faults.hold?.();
  const raw = Buffer.concat(chunks);
  return { ...(await simpleParser(raw)), raw: raw.toString() };
}

function errorOf(refusal: Refusal | null | undefined): Error | null {
  return refusal ? Object.assign(new Error(refusal.message), { responseCode: refusal.code }) : null;
}
