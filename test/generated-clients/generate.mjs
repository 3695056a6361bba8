// Generates the clients from openapi.json in this folder: node generate.mjs URL
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { generate } from 'orval';
import { mkdir } from 'node:fs/promises';

const [url] = process.argv.slice(2);
await mkdir('openapi-fetch');
await writeFile('openapi-fetch/schema.ts', astToString(await openapiTS(new URL('openapi.json', import.meta.url))));
await createClient({
  input: 'openapi.json',
  output: { path: 'hey-api', importFileExtension: '.ts' },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
});
await generate({
  input: 'openapi.json',
  output: { target: 'orval/client.ts', client: 'fetch', baseUrl: url },
});
for (const [generator, ...options] of [
  ['oazapfts', 'openapi.json', 'oazapfts.ts'],
  ['openapi-zod-client', 'openapi.json', '-o', 'zod-client.ts'],
])
  execFileSync(process.execPath, [`node_modules/.bin/${generator}`, ...options]);
