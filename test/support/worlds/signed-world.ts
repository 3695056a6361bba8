import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { payoutNonce } from '../../../server/payouts/references.ts';
import { call, newPayer } from '../clients/client.ts';
import { choose, close, type Contestant, enter, FUNDS_MICRO } from '../clients/contestants.ts';
import { expectStatus, openProject, type OpenProject } from '../clients/journey.ts';
import { until } from '../processes/processes.ts';
import { prepareWorld } from '../processes/service-processes.ts';
import { signerProcesses, signerRole } from '../processes/signer-process.ts';
import { assertBooks } from '../endings/ending.ts';
import { removeFolder } from '../remove-folder.ts';

export const USDC = 1_000_000;
/** The share of the winner in a prize of 1 USDC. */
export const RECEIVES_MICRO = 950_000;
const FEE_MICRO = 250_000;
const MANY = '1000000';

export type Payout = { id: string; state: string; note: string | null; reference: string; recipient: string };
export type Case = { project: OpenProject; entry: Contestant };

/** The service in a process without the treasury's key, beside `concours-server signer`. Call it at the top of the file. */
export async function signedWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'concours-signer-'));
  after(() => removeFolder(folder));
  const treasuryKey = generatePrivateKey();
  const treasury = privateKeyToAddress(treasuryKey).toLowerCase();
  const socket = join(folder, 'signer.sock');
  const ground = await prepareWorld({
    treasuryKey,
    env: {
      SIGNER_URL: `unix:${socket}`,
      TREASURY_ADDRESS: treasury,
      LIMIT_POSTER_PER_MINUTE: MANY,
      LIMIT_REGISTRATIONS_PER_HOUR: MANY,
      LIMIT_PAYMENTS_PER_HOUR: MANY,
    },
    paymentTimes: { waitMs: 5_000, leaseMs: 500 },
  });
  const { db, chain, operatorKey } = ground;
  const signers = signerProcesses();
  const databaseUrl = await signerRole(ground.databaseUrl);
  const owner = newPayer().address.toLowerCase();
  const env = {
    DATABASE_URL: databaseUrl,
    NETWORK: 'eip155:84532',
    TREASURY_KEY: treasuryKey,
    SIGNER_LISTEN: `unix:${socket}`,
    SIGNER_STATE: join(folder, 'signed'),
    SIGNER_WITHDRAWAL_ADDRESSES: owner,
  };
  const processes = { signer: await signers.start(env), service: await ground.start() };
  const { url } = processes.service;
  const market = { url, mintUsdc: ground.mintUsdc };

  async function operator(method: 'GET' | 'POST', path: string, body?: object) {
    const answer = await call(url, method, `/operator${path}`, { key: operatorKey, ...(body ? { body } : {}) });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body.data;
  }
  const payoutsOf = async ({ project }: Case) => [
    ...(await db<Payout[]>`select id, state, note, reference, recipient from payouts where project_id = ${project.id}`),
  ];
  const settled = (one: Case) =>
    until('every payout is settled', async () => {
      const payouts = await payoutsOf(one);
      return payouts.length > 0 && payouts.every(({ state }) => state === 'settled');
    });

  return {
    ...ground,
    folder,
    treasury,
    treasuryKey,
    socket,
    signers,
    /** The settings of the signer. */
    env,
    /** The address that the signer's list of withdrawals names. */
    owner,
    /** The processes that run now. */
    processes,
    url,
    market,
    operator,
    payoutsOf,
    settled,
    books: () => assertBooks({ url, operatorKey }),
    async restartSigner(change: Record<string, string> = {}) {
      await processes.signer.kill('SIGKILL');
      processes.signer = await signers.start({ ...env, ...change });
    },
    async startAgain() {
      processes.service = await ground.start(Number(new URL(url).port));
    },
    /** A project with a paid entry, ready for the decision. */
    async ready(): Promise<Case> {
      const project = await openProject(market, { prizeUsdc: 1, entryFeeUsdc: FEE_MICRO / USDC });
      const entry = await enter(market, project);
      expectStatus(await close(market, project), 200);
      return { project, entry };
    },
    decide: async ({ project, entry }: Case) => expectStatus(await choose(market, project, entry), 200),
    cancel: ({ project }: Case) => operator('POST', `/projects/${project.id}/cancel`, { reason: 'A test' }),
    retry: (id: string) => operator('POST', `/payouts/${id}/retry`, { reason: 'A test' }),
    async assertPrizePaid(one: Case) {
      await settled(one);
      assert.equal(await chain.balanceMicro(one.entry.payer.address), FUNDS_MICRO - FEE_MICRO + RECEIVES_MICRO);
      await assertBooks({ url, operatorKey });
    },
    async assertGivenBack(one: Case) {
      await settled(one);
      assert.equal(await chain.balanceMicro(one.entry.payer.address), FUNDS_MICRO);
      assert.equal(await chain.balanceMicro(one.project.funder.address), USDC);
    },
    metric: async (line: string) => (await (await fetch(`${url}/metrics`)).text()).includes(line),
    alerts: async (type: string) =>
      (await operator('GET', `/events?types=${type}`)).events as { data: { subject: string; message: string } }[],
    /** Sends something to the signer's socket, as a process that may use it could. */
    ask: (path: string, body: unknown) => askSocket(socket, path, body),
  };
}

function askSocket(socketPath: string, path: string, body: unknown) {
  return new Promise<{ status: number; body: Record<string, string> }>((resolve, reject) => {
    const asking = request({ socketPath, path, method: 'POST' }, (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
    asking.on('error', reject);
    asking.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

/** The request of a prize of this world. */
export function requestFor({ id, reference, recipient }: Payout) {
  return {
    kind: 'payout',
    payout_id: id,
    network: 'eip155:84532',
    asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
    recipient,
    amount_micro: RECEIVES_MICRO,
    nonce: payoutNonce(reference),
    valid_before: Math.floor(Date.now() / 1000) + 3600,
  };
}
