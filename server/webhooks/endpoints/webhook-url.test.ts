import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkWebhookUrl } from './webhook-url.ts';

const production = (url: string) => checkWebhookUrl(url, { development: false });
const development = (url: string) => checkWebhookUrl(url, { development: true });

const allowed = [
  'https://agent.example/hooks',
  'https://agent.example:443/',
  'https://agent.example:8443/hooks?token=a%20b#part',
  'https://bücher.example/',
  'https://8.8.8.8/hooks',
  'https://[2606:4700::1111]/hooks',
  'https://localhost.example/',
  'https://agent.example./',
];

const refused: Record<string, string[]> = {
  'an HTTPS URL': [
    'http://agent.example/',
    'ftp://agent.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'wss://agent.example/',
  ],
  'a URL': ['agent.example/hooks', 'https://', 'https://[::1', 'https://a..b:99999/', '//agent.example'],
  'a URL without spaces and control characters': [
    ' https://agent.example/',
    'https://agent.example/ ',
    'https://agent.exa\tmple/',
    'https://agent.example/\n',
    'https://agent.example/\u0000',
    'https://agent.example/\ud800',
  ],
  'a URL without user and password': [
    'https://me@agent.example/',
    'https://me:pw@agent.example/',
    'https://:pw@agent.example/',
  ],
  'a URL of port 443 or 8443': [
    'https://agent.example:80/',
    'https://agent.example:22/',
    'https://agent.example:4430/',
    'https://8.8.8.8:5432/',
  ],
  'a URL of a host on the public internet': [
    'https://intranet/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://192.168.1.1/',
    'https://0xa9fea9fe/',
    'https://[fd00::1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
  ],
  'at most 2048 characters': [`https://agent.example/${'a'.repeat(2030)}`],
};

const loopback = [
  'localhost',
  'LOCALHOST',
  'a.localhost',
  'localhost.',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
];

describe('the URL of a webhook', () => {
  it('is an HTTPS URL of a public host, and a refusal says why', () => {
    for (const url of allowed) assert.deepEqual([production(url), development(url)], [null, null], url);
    for (const [why, urls] of Object.entries(refused))
      for (const url of urls) assert.deepEqual([production(url), development(url)], [why, why], url);
  });

  it('must not be a loopback address or name, in any spelling, except in development', () => {
    for (const host of loopback) {
      assert.equal(production(`https://${host}/`), 'a URL of a host on the public internet', host);
      for (const url of [`https://${host}/`, `http://${host}/`, `http://${host}:8080/hooks`, `https://${host}:9443/`])
        assert.equal(development(url), null, url);
      assert.equal(development(`http://me@${host}/`), 'a URL without user and password');
      assert.equal(development(`ftp://${host}/`), 'an HTTPS URL');
    }
    assert.equal(production('https://[::ffff:127.0.0.1]/'), 'a URL of a host on the public internet');
    assert.equal(production('https://0.0.0.0/'), 'a URL of a host on the public internet');
  });
});
