import { generate } from 'selfsigned';

// Certificates of receivers, created at start, because stored ones would expire.

type Pair = { key: string; cert: string };
type Generated = Awaited<ReturnType<typeof generate>>;

const DAY_MS = 86_400_000;
const pair = ({ private: key, cert }: Generated): Pair => ({ key, cert });
const named = (name: string) => [{ name: 'commonName', value: name }];

function authority(name: string): Promise<Generated> {
  return generate(named(name), {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
}

/** Issues a certificate for these names and 127.0.0.1; without an authority, it signs itself. */
async function issue(ca: Generated | null, hosts: string[], from = -DAY_MS, until = 30 * DAY_MS): Promise<Pair> {
  const now = Date.now();
  return pair(
    await generate(named(hosts[0] ?? ''), {
      // P-256, as most receivers have; faster than RSA for both sides.
      keyType: 'ec',
      algorithm: 'sha256',
      notBeforeDate: new Date(now + from),
      notAfterDate: new Date(now + until),
      extensions: [
        { name: 'basicConstraints', cA: false },
        { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
        {
          name: 'subjectAltName',
          altNames: [...hosts.map((value) => ({ type: 2 as const, value })), { type: 7, ip: '127.0.0.1' }],
        },
      ],
      ...(ca ? { ca: { key: ca.private, cert: ca.cert } } : {}),
    }),
  );
}

/** Creates certificates for the receivers. `ca` issues all but `selfSigned` and `unknownAuthority`. */
export async function makeCertificates() {
  const hosts = ['localhost', 'receivers.localhost', '*.receivers.localhost', '*.receivers.test'];
  const ca = await authority('Test authority');
  return {
    ca: ca.cert,
    valid: await issue(ca, hosts),
    expired: await issue(ca, hosts, -60 * DAY_MS, -DAY_MS),
    wrongName: await issue(ca, ['other.test']),
    selfSigned: await issue(null, hosts),
    unknownAuthority: await issue(await authority('Another authority'), hosts),
  };
}
