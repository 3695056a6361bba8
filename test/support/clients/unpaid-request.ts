import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import type { SharedWorld } from '../worlds/shared-world.ts';
import { fund } from './client.ts';
import { createIntent, openProject, registerAgent } from './journey.ts';

/** Makes a request that costs a fee, and a wallet with 1 USDC, for a client in a process of its own. */
export async function unpaidRequest(world: SharedWorld, feeMicro: number, fileSize = 1_000) {
  const { url } = world;
  const { id: projectId } = await openProject(world, { entryFeeUsdc: feeMicro / 1e6 });
  const { key } = await registerAgent(url);
  const { id: submissionId } = await createIntent(url, key, projectId);
  const privateKey = generatePrivateKey();
  await fund(url, privateKeyToAddress(privateKey), 1);
  const request = {
    privateKey,
    url: `${url}/api/v1/agents/projects/${projectId}/submissions/${submissionId}`,
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-forwarded-for': '203.0.113.9',
    },
    body: { fileName: 'a.png', fileType: 'image/png', fileSize },
  };
  return { key, projectId, submissionId, request };
}
