import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startTelemetry, tracedWorld } from '../../server/telemetry.ts';
import { call } from '../support/clients/client.ts';
import { entriesOf, picture } from '../support/clients/entries.ts';
import { expectStatus, openProject, putPicture, requestUpload } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { serveHttp } from '../support/servers/http-server.ts';
import { localReceiver } from '../support/webhooks/local-receiver.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A real OTLP receiver gets the traces of a service, as a collector does.

type Value = { stringValue?: string; intValue?: number };
type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Value }[];
};
type Otlp = { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] };

const spans: OtlpSpan[] = [];
const endpoint = await serveHttp(({ path, body }, response) => {
  assert.equal(path, '/v1/traces');
  for (const { scopeSpans } of (JSON.parse(body) as Otlp).resourceSpans)
    spans.push(...scopeSpans.flatMap((scope) => scope.spans));
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});
const stopTelemetry = startTelemetry({ endpoint, serviceName: 'concours', role: 'all' });
const world = await startWorld({ wrap: tracedWorld, logLevel: 'debug' });
const { url, service } = world;
const { enter, richPayer, confirmOf } = entriesOf(world);
const { address, received } = await localReceiver();

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;

const attributeOf = ({ attributes }: OtlpSpan, name: string) =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

it('shows a paid upload in one trace, from the request to its block and its webhook', async () => {
  const project = await openProject(world);
  const hook = { url: address, types: ['ENTRY.CONFIRMED'] };
  expectStatus(await call(url, 'POST', '/posters/me/webhooks', { key: project.poster.key, body: hook }), 201);
  const entry = await enter(project.id);
  const { pay } = await richPayer();
  const upload = await requestUpload(url, { ...entry, fetch: pay, headers: { traceparent } });
  await putPicture(upload.body.data.uploadUrl, picture);
  expectStatus(await confirmOf(entry, undefined, { traceparent }), 200);
  const isDelivered = async () =>
    (await service.deps.db`select from webhook_deliveries where delivered_at is not null`).length === 1;
  await until('the webhook', isDelivered);
  await stopTelemetry();
  for (const secret of [entry.key, project.poster.key]) assert.ok(!JSON.stringify(spans).includes(secret));
  const ours = spans.filter(({ traceId }) => traceId === TRACE);
  const named = (name: string) => ours.find((span) => span.name === name) ?? assert.fail(`no span ${name}`);
  const parentOf = ({ parentSpanId }: OtlpSpan) => ours.find(({ spanId }) => spanId === parentSpanId)?.name;
  const request = 'POST /agents/projects/{project_id}/submissions/{submission_id}';
  const paid = ours.find((span) => span.name === request && attributeOf(span, 'http.response.status_code') === 200);
  assert.ok(paid);
  assert.equal(attributeOf(paid, 'concours.agentId'), entry.agentId);
  assert.equal(parentOf(named('verb requestUpload')), request);
  for (const name of ['SQL insert', 'node eth_estimateGas', 'facilitator verify', 'storage presignUpload'])
    assert.notEqual(parentOf(named(name)), undefined);
  const [payment] = await service.deps.db<{ id: string; txHash: string; block: number }[]>`
    select id, tx_hash as "txHash" from payments where kind = 'entry_fee'`;
  assert.equal(attributeOf(paid, 'concours.paymentId'), payment?.id);
  assert.equal(attributeOf(named('facilitator settle'), 'concours.transaction'), payment?.txHash);
  assert.ok(Number(attributeOf(named('facilitator settle'), 'concours.block')) > 0);
  assert.equal(attributeOf(named('webhook ENTRY.CONFIRMED'), 'http.response.status_code'), 200);
  assert.match(String(received.at(-1)?.headers['traceparent']), new RegExp(`^00-${TRACE}-`));
  const lines = world.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const line = lines.find(({ paymentId }) => paymentId === payment?.id && payment !== undefined);
  assert.deepEqual([line?.['traceId'], line?.['projectId'], line?.['agentId']], [TRACE, project.id, entry.agentId]);
});
