import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkWebhookUrl } from './webhook-url.ts';

it('is a host of the public internet, or of a network that the operator allows', async () => {
  const leadsTo: Record<string, string> = { 'hook.example.com': '93.184.216.34', 'agents.internal': '10.1.0.7' };
  const check = async (host: string, ...allowedNetworks: string[]) =>
    (await checkWebhookUrl(`https://${host}/`, { development: false, allowedNetworks }, async (url) => {
      const address = leadsTo[new URL(url).hostname];
      if (address === undefined) return { network: null, failure: 'dns' };
      const isFine = !address.startsWith('10.') || (address === '10.1.0.7' && allowedNetworks.length > 0);
      return { network: isFine ? address : null, failure: isFine ? null : 'refused_address' };
    })) === null;
  for (const host of ['hook.example.com', 'not-yet.example.com', '93.184.216.34']) assert.ok(await check(host), host);
  leadsTo['private.example.com'] = '10.0.0.1';
  const names = 'agents.internal my-agent.local. printer.home.arpa nas.lan x.localhost router 10.1.0.7';
  for (const host of ['private.example.com', ...names.split(' ')]) assert.ok(!(await check(host)), host);
  for (const host of ['agents.internal', '10.1.0.7', 'hook.example.com'])
    assert.ok(await check(host, '10.1.0.0/16'), host);
  for (const host of ['my-agent.local', 'private.example.com', '10.2.0.1'])
    assert.ok(!(await check(host, '10.1.0.0/16')), host);
});
