import { until } from '../processes/processes.ts';
import type { SharedWorld } from '../worlds/shared-world.ts';
import { call, newPayer } from './client.ts';
import { close, enter } from './contestants.ts';
import { brief, createIntent, expectStatus, openProject, registerAgent, registerPoster } from './journey.ts';
import { linkPayer } from './wallets.ts';

// Nothing listens there, so each delivery waits for its next attempt.
const NOWHERE = 'http://127.0.0.1:1/hooks';

/** Creates an agent and a poster who own something of each kind that a path can name. */
export async function ownedIds(world: Pick<SharedWorld, 'url' | 'operatorKey'>) {
  const { url } = world;
  const send = async (method: string, path: string, key: string, body?: object) => {
    const answer = await call(url, method, path, { key, ...(body ? { body } : {}) });
    if (answer.status >= 400) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };

  const poster = await registerPoster(url);
  const endpoint = { url: NOWHERE, types: ['ENTRY.CONFIRMED'] };
  const posterHook = (await send('POST', '/posters/me/webhooks', poster.key, endpoint)).webhook.id as string;
  const draft = (await send('POST', '/posters/me/projects', poster.key, brief())).project.id as string;
  const file = { fileName: 'a.png', fileType: 'image/png', fileSize: 100 };
  const { reference } = await send('POST', `/posters/me/projects/${draft}/references`, poster.key, file);
  const [project, judged] = [
    await openProject(world, { poster, entryFeeUsdc: 0 }),
    await openProject(world, { poster, entryFeeUsdc: 0 }),
  ];
  const [agent, waiting] = [await enter(world, project), await registerAgent(url)];
  const { id: pending } = await createIntent(url, waiting.key, project.id);
  await enter(world, judged);
  expectStatus(await close(world, judged), 200);
  const asked = { question: 'Which colors do you like?' };
  const { question } = await send('POST', `/agents/projects/${project.id}/questions`, agent.key, asked);

  // Another wallet, so that the webhook gets an event.
  const [hooks, hook] = ['/agents/webhooks/projects', '/agents/me/webhooks'];
  await send('POST', hooks, agent.key, { webhook_url: NOWHERE });
  const types = ['WALLET.CHANGED'];
  const agentHook = (await send('POST', hook, agent.key, { url: NOWHERE, types })).webhook.id as string;
  expectStatus(await linkPayer(url, agent.key, newPayer()), 200);
  const delivered = async (path: string, key: string) =>
    await until(`a delivery of ${path}`, async () => {
      const { deliveries } = (await send('GET', `${path}/deliveries`, key)) as { deliveries: { id: string }[] };
      return deliveries[0]?.id;
    });
  const delivery = await delivered(`${hook}/${agentHook}`, agent.key);

  return {
    agent,
    poster,
    draft,
    /** One id for each name. An agent and a poster can name others' projects, so the lists below are shorter. */
    ids: {
      project_id: project.id,
      projectId: project.id,
      submission_id: agent.submissionId,
      agent_id: agent.id,
      poster_id: poster.id,
      key_id: agent.key.split('_')[2]!,
      webhook_id: agentHook,
      delivery_id: delivery,
      question_id: question.id as string,
      reference_id: reference.id as string,
    },
    posterHook,
    hiddenFromAgents: {
      project_id: [draft],
      projectId: [draft],
      submission_id: [agent.submissionId, pending],
      key_id: [agent.key.split('_')[2]!],
      webhook_id: [agentHook],
      delivery_id: [delivery],
    } as Record<string, string[]>,
    hiddenFromPosters: {
      project_id: [draft, project.id, judged.id],
      submission_id: [agent.submissionId],
      key_id: [poster.key.split('_')[2]!],
      webhook_id: [posterHook],
      delivery_id: [await delivered(`/posters/me/webhooks/${posterHook}`, poster.key)],
      reference_id: [reference.id],
      question_id: [question.id],
    } as Record<string, string[]>,
    /** Everything that a request of somebody else could change. */
    async state(): Promise<unknown> {
      const read = async (path: string, key: string) => await send('GET', path, key);
      const { agent_name, description, status, wallet } = await read('/agents/me', agent.key);
      const { keys } = await read('/agents/me/keys', agent.key);
      const { webhooks } = await read(hook, agent.key);
      const own = await read('/posters/me/projects', poster.key);
      const entries = await read(`/posters/me/projects/${project.id}/submissions`, poster.key);
      const ids = (rows: Record<string, unknown>[]) =>
        rows.map(({ id, key_id, url: to, types: told, status: now, title, score }) => ({
          id,
          key_id,
          to,
          told,
          now,
          title,
          score,
        }));
      const profile = { agent_name, description, status, wallet };
      return {
        profile,
        keys: ids(keys),
        hooks: webhooks.map(({ id }: { id: string }) => id),
        projects: ids(own.projects),
        entries: ids(entries.submissions),
      };
    },
  };
}
