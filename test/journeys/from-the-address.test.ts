import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newPayer } from '../support/clients/client.ts';
import { openProject, testPicture } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { watchAnswer, watchedFetch } from '../support/secrets/canary-watch.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A robot knows the address of the service, and the names of the steps that every agent makes. It opens only addresses
// that it has read, takes each request from the skill and the OpenAPI document, and fills it with what it knows.

const FEE_MICRO = 250_000;

type Json = { [name: string]: Json } & { [index: number]: Json };
type Schema = { $ref?: string; required?: string[]; properties?: Record<string, Schema>; allOf?: Schema[] };
type Operation = {
  parameters?: object[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};

/** A robot, and what it has learned so far. `facts`: values by the names under which it met them. */
class Robot {
  readonly #facts = new Map<string, unknown>();
  readonly #known: Set<string>;
  readonly payer = newPayer();
  #document: Json = {};
  #skill = '';

  constructor(address: string, facts: Record<string, unknown>) {
    this.#known = new Set([`${address}/`]);
    for (const [name, value] of Object.entries(facts)) this.#facts.set(name, value);
    this.#facts.set('address', this.payer.address);
  }

  /** Opens an address that the robot has read before. */
  async #open(address: string, init: RequestInit = {}, send: typeof fetch = watchedFetch) {
    const { origin, pathname } = new URL(address);
    assert.ok(this.#known.has(address) || this.#known.has(origin + pathname), `nothing led to ${address}`);
    const response = await send(address, init);
    const text = await response.clone().text();
    watchAnswer(pathname, response, text);
    this.#readLinks(`${response.headers.get('link') ?? ''} ${text.startsWith('{') ? '' : text}`);
    return { response, text };
  }

  #readLinks(text: string): void {
    for (const link of text.match(/https?:\/\/[^\s)>"'`,;]+/g) ?? []) this.#known.add(link.replace(/[.:]+$/, ''));
  }

  /** Follows the links of `/` to the skill and to the OpenAPI document for agents. */
  async look(): Promise<void> {
    const [root = ''] = this.#known;
    const { response } = await this.#open(root);
    const links = [...(response.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="([^"]+)"; type="([^"]+)"/g)];
    const described = links.filter(([, , rel]) => rel === 'describedby');
    for (const [, href = '', , type] of described) {
      const { text } = await this.#open(href);
      if (type === 'text/markdown') this.#skill = text;
      const [, document] = /\[OpenAPI for agents\]\(([^)]+)\)/.exec(text) ?? [];
      if (document) this.#document = JSON.parse((await this.#open(document)).text) as Json;
    }
    assert.ok(this.#skill && this.#document['paths'], 'the links of / lead to the skill and the document');
  }

  /** Makes the step of the skill with this name. It is one request, with the first request line of the step. */
  async step(name: string): Promise<Json> {
    const [line = ''] = new RegExp(`^\\d\\. \\*\\*${name}\\*\\*.*$`, 'm').exec(this.#skill) ?? [];
    const [, method = '', path = ''] = /`(GET|POST|PUT) (\/[^`]*)`/.exec(line) ?? [];
    assert.ok(path, `the skill has no request for “${name}”`);
    return await this.request(method, path);
  }

  async request(method: string, path: string): Promise<Json> {
    const operation = this.#document['paths']?.[path]?.[method.toLowerCase()] as Operation | undefined;
    assert.ok(operation, `the document does not describe ${method} ${path}`);
    const [server] = this.#document['servers'] as unknown as { url: string }[];
    const base = server?.url ?? '';
    const place = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => String(this.#fact(parameter)));
    const schema = operation.requestBody?.content['application/json']?.schema;
    const body = schema && this.#bodyOf(schema);
    const key = this.#facts.get('apiKey') as string | undefined;
    this.#known.add(base + place);
    const init = {
      method,
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(operation.parameters?.some((parameter) => /forwarded/i.test(JSON.stringify(parameter)))
          ? { 'x-forwarded-for': '203.0.113.7' }
          : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    };
    const { text } = await this.#open(base + place, init, this.payer.pay);
    const { success, data } = JSON.parse(text) as Json;
    assert.equal(success, true, `${method} ${place}: ${text}`);
    this.learn(data ?? {});
    return data ?? {};
  }

  /** Sends a request of a text of the skill outside its steps: its address, and the values that it asks for. */
  async asTold(pattern: RegExp, body: object): Promise<void> {
    const [, address = ''] = pattern.exec(this.#skill) ?? [];
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const { response } = await this.#open(address, init);
    assert.equal(response.status, 200, address);
  }

  async put(picture: Buffer<ArrayBuffer>): Promise<void> {
    const address = String(this.#fact('uploadUrl'));
    this.#known.add(address);
    const init = { method: 'PUT', headers: { 'content-type': String(this.#fact('fileType')) }, body: picture };
    assert.equal((await this.#open(address, init)).response.status, 200);
  }

  /** Remembers the plain values of an answer. The `id` of a project is also its `project_id`. */
  learn(data: Json): void {
    for (const [name, value] of Object.entries(data)) {
      if (value === null) continue;
      if (typeof value !== 'object') this.#facts.set(name, value);
      else if (!Array.isArray(value)) {
        if ('id' in value) this.#facts.set(`${name}_id`, value['id']);
        this.learn(value);
      }
    }
    const project = this.#facts.get('project_id');
    if (project !== undefined) this.#facts.set('projectId', project);
  }

  #fact(name: string): unknown {
    return this.#facts.get(name) ?? assert.fail(`the robot does not know “${name}”`);
  }

  /** Fills in what a request needs, and what the robot knows beside it. */
  #bodyOf(given: Schema): Record<string, unknown> {
    const [, name = ''] = /schemas\/(.+)$/.exec(given.$ref ?? '') ?? [];
    const schema = name ? (this.#document['components']?.['schemas']?.[name] as unknown as Schema) : given;
    const { required = [], properties = {} } = schema;
    const wanted = Object.keys(properties).filter((each) => required.includes(each) || this.#facts.has(each));
    return Object.fromEntries(wanted.map((each) => [each, this.#fact(each)]));
  }
}

const world = await startWorld({ console: true });
const { url, service, errors } = world;

it('a robot that knows only the address registers, funds itself, pays, and enters', async () => {
  const project = await openProject(world, { entryFeeUsdc: FEE_MICRO / 1e6 });
  const picture = await testPicture(7);
  const robot = new Robot(url, {
    agent_name: 'Robot',
    description: 'Knows nothing but an address.',
    specializations: ['logo-design'],
    title: 'Found by following links',
    fileName: 'found.png',
    fileType: 'image/png',
    fileSize: picture.length,
  });
  await robot.look();
  await robot.step('Register');
  await robot.asTold(/`POST (\S+\/dev\/faucet)`/, { address: robot.payer.address, amount_usdc: 1 });
  await until('the project is found', async () => {
    const { projects } = (await robot.step('Look')) as { projects?: { id: string }[] };
    const found = projects?.find(({ id }) => id === project.id);
    if (found) robot.learn({ project: found } as unknown as Json);
    return found !== undefined;
  });
  await robot.step('Read the terms');
  await robot.step('Reserve');
  await robot.step('Pay and get an upload URL');
  await robot.put(picture);
  const confirmed = (await robot.step('Confirm')) as { status?: unknown };
  assert.equal(confirmed.status, 'submitted');
  const [entry] = await service.deps.db`
    select status, entry_fee_paid_micro as fee from submissions where project_id = ${project.id}`;
  assert.deepEqual({ ...entry }, { status: 'submitted', fee: FEE_MICRO });
  assert.equal(await service.deps.chain.balanceMicro(robot.payer.address), 1_000_000 - FEE_MICRO);
  assert.deepEqual(errors, []);
});
