import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { call } from '../support/clients/client.ts';
import { close, type Contestant, enter } from '../support/clients/contestants.ts';
import { expectStatus, ledger, openProject, registerAgent } from '../support/clients/journey.ts';
import { type Case, killsAroundCommits, type Write } from '../support/processes/kills-around-commits.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { completion, sendJson, startAiServer, verdict } from '../support/servers/ai-server.ts';

// SIGKILL ends the process right before and right after the commit of writes that no request asks for: of caps, of the AI
// judge, of silence, and of webhooks that have never succeeded.

const UNUSABLE = 'A brief that the model cannot judge';
const WEBHOOKS = '/agents/webhooks/projects';

const model = await startAiServer();
model.behave((request, response) => {
  const isUnusable = JSON.stringify(request.body.messages).includes(UNUSABLE);
  sendJson(response, completion({ content: isUnusable ? 'I would rather not.' : verdict(4) }));
});
const ground = await prepareWorld({
  env: { AI_URL: model.url, AI_MODEL: 'judge-1', AI_KEY: 'sk-of-a-test', PAYOUT_CAP_USDC: '10' },
});
const { db, operatorKey } = ground;
const service = await ground.start();
const { url } = service;
const market = { url, mintUsdc: ground.mintUsdc };

const receiver = createServer((request, response) => {
  request.resume();
  response.writeHead(request.url === '/refuses' ? 500 : 200, { 'content-type': 'text/plain' }).end('ok');
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
after(() => {
  receiver.closeAllConnections();
  receiver.close();
});

const shown = async (rows: Promise<readonly object[]>): Promise<string> => JSON.stringify(await rows);
const urlOf = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;

/** Cancels a project whose refund is above the cap of one transfer. */
async function largeRefund(): Promise<{ id: string; cancel: () => Promise<unknown> }> {
  const { id } = await openProject(market, { prizeUsdc: 20, entryFeeUsdc: 0 });
  const cancel = () =>
    call(url, 'POST', `/operator/projects/${id}/cancel`, { key: operatorKey, body: { reason: 'A crash' } });
  return { id, cancel };
}

const payoutIs = (projectId: string, state: string) =>
  shown(db`select count(*) from payouts where project_id = ${projectId} and state = ${state}`);

async function hold(): Promise<Case> {
  const { id, cancel } = await largeRefund();
  return {
    send: null,
    // The payout may be claimed before the answer.
    due: () => cancel().catch(() => null),
    state: async () =>
      `${await payoutIs(id, 'held')} ${await shown(db`
        select count(*) from audit_trail where action = 'payout.hold'
          and subject in (select 'payout:' || id from payouts where project_id = ${id})`)}`,
  };
}

async function resumption(): Promise<Case> {
  const { id, cancel } = await largeRefund();
  await cancel();
  await until('a held refund', async () => (await payoutIs(id, 'held')).includes('1'));
  return {
    send: null,
    // As if the cap of the day before had held it. The operator's release keeps the cap of one transfer off it.
    due: () => db`
      update payouts set held_until = now() - interval '1 minute', released = true where project_id = ${id}`,
    state: () => payoutIs(id, 'held'),
  };
}

type Judged = { id: string; entry: Contestant };

async function judged(title: string): Promise<Judged> {
  // A late write of an earlier project must not end the process.
  await until('the end of earlier projects', async () => {
    const [row] = await db`select 1 from projects where status = 'judging'`;
    return row === undefined;
  });
  const project = await openProject(market, { prizeUsdc: 2, entryFeeUsdc: 0, fields: { title, judging_hours: 1 } });
  const entry = await enter(market, project);
  expectStatus(await close(market, project), 200);
  await until('judging', async () => {
    const [row] = await db`select 1 from projects where id = ${project.id} and status = 'judging'`;
    return row !== undefined;
  });
  return { id: project.id, entry };
}

const endJudging = (id: string) => db`update projects set judging_ends_at = now(), due_at = now() where id = ${id}`;

/** The next process need not wait for the end of the killed one's lease. */
async function endRound(id: string): Promise<void> {
  await db`update ai_judging set due_at = now() where project_id = ${id}`;
  await db`update projects set due_at = now() where id = ${id}`;
}

async function scores(): Promise<Case> {
  const { id, entry } = await judged('A brief that the model judges');
  return {
    send: null,
    due: () => endJudging(id),
    again: () => endRound(id),
    state: () =>
      shown(db`
        select score, (select count(*) from ai_judging where project_id = ${id} and state = 'scored') as decided
        from submissions where id = ${entry.submissionId}`),
  };
}

/** Two of the model's tries for the entry are over, so that one more is the last. */
async function unusable(): Promise<Judged> {
  const given = await judged(UNUSABLE);
  await db`
    insert into ai_judging (project_id, state, attempts, due_at, updated_at)
    values (${given.id}, 'running', 2, now(), now())`;
  await db`
    insert into ai_scores (submission_id, project_id, attempts, updated_at)
    values (${given.entry.submissionId}, ${given.id}, 2, now())`;
  return given;
}

async function unscorable(): Promise<Case> {
  const { id } = await unusable();
  return {
    send: null,
    due: () => endJudging(id),
    again: () => endRound(id),
    state: () => shown(db`select unscorable from ai_scores where project_id = ${id}`),
  };
}

async function silence(): Promise<Case> {
  const { id } = await unusable();
  return {
    send: null,
    due: () => endJudging(id),
    again: () => endRound(id),
    state: () =>
      shown(db`
        select status, cancel_reason, fee_kept,
          (select count(*) from payouts where project_id = ${id}) as refunds,
          (select count(*) from ledger_entries e join ledger_journals j on j.id = e.journal_id
            where j.kind = 'fee_kept' and e.account_id = ${`escrow:${id}`}) as kept
        from projects where id = ${id}`),
  };
}

const register = (key: string, path: string) =>
  call(url, 'POST', WEBHOOKS, { key, body: { webhook_url: urlOf(path) } });

async function subscriber(path: string): Promise<{ key: string; webhookId: string }> {
  // The events of others would wait and start, too.
  await db`delete from webhooks`;
  const { key } = await registerAgent(url);
  return { key, webhookId: expectStatus(await register(key, path), 201).body.data.subscription_id as string };
}

async function trust(): Promise<Case> {
  const { key, webhookId } = await subscriber('/accepts');
  return {
    send: () => call(url, 'POST', `${WEBHOOKS}/test`, { key }),
    state: () => shown(db`select verified_at is not null as verified from webhooks where id = ${webhookId}`),
  };
}

const startedOf = (webhookId: string) =>
  shown(db`
    select count(*) from webhook_retries
    where webhook_id = ${webhookId} and (due_at is not null or delivered_at is not null)`);

async function start(): Promise<Case> {
  const { webhookId } = await subscriber('/accepts');
  return {
    send: null,
    // The event may be started before the last answer.
    due: () => openProject(market, { prizeUsdc: 2 }).catch(() => null),
    state: () => startedOf(webhookId),
  };
}

async function move(): Promise<Case> {
  const { key, webhookId } = await subscriber('/refuses');
  await openProject(market, { prizeUsdc: 2 });
  await until('a retry', async () => {
    const [row] = await db`select 1 from webhook_retries where webhook_id = ${webhookId} and retries >= 0`;
    return row !== undefined;
  });
  return {
    send: () => register(key, '/accepts'),
    state: () =>
      shown(db`
        select w.url, r.due_at is null as waits from webhooks w join webhook_retries r on r.webhook_id = w.id
        where w.id = ${webhookId}`),
  };
}

const writes: Write[] = [
  { name: 'a cap holds a payout', sends: "set state = 'held'", prepare: hold },
  { name: 'a payout that a cap held resumes', sends: "set state = 'ready', note = null", prepare: resumption },
  { name: 'the AI judge gives its scores', sends: 'update ai_judging set state =', prepare: scores },
  { name: 'the AI judge gives up an entry', sends: 'insert into ai_scores as kept', prepare: unscorable },
  { name: 'silence ends a free project and keeps its fee', sends: 'insert into project_transitions', prepare: silence },
  { name: 'a webhook is trusted', sends: 'webhooks w set verified_at =', prepare: trust },
  { name: 'a waiting event starts', sends: 'partition by webhook_id order by event_id', prepare: start },
  { name: 'a webhook moves, and its events wait', sends: 'update webhook_retries set due_at = null', prepare: move },
];

describe('a crash of the process', () => {
  killsAroundCommits(ground, service, writes);

  it('leaves books that agree with the chain', async () => {
    const { problems, balanced, chain_matches } = await ledger({ url, operatorKey });
    assert.deepEqual([problems, balanced, chain_matches], [[], true, true]);
  });
});
