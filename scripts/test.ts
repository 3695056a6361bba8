import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { testServer } from '../test/support/test-database.ts';

// `npm test`: one PostgreSQL for the whole run, a database of its own for each file. Arguments choose files instead.
// Hundreds of processes load the same modules: what one has compiled, the next one takes.
const compiled =
  process.env['NODE_COMPILE_CACHE'] ?? join(import.meta.dirname, '..', 'node_modules', '.concours-compiled');
const chosen = process.argv.slice(2);
const files =
  chosen.length > 0
    ? chosen
    : [
        'contract/**/*.test.ts',
        'server/**/*.test.ts',
        'demo/**/*.test.ts',
        'scripts/**/*.test.ts',
        'test/{crash,faults,http,journeys,limits,model,processes,races,security,webhooks}/*.test.ts',
      ];

const server = process.env['TEST_DATABASE_URL'] ? null : await testServer();
const run = spawn(process.execPath, ['--test', '--test-concurrency=3', '--test-timeout=300000', ...files], {
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_ENV: 'test',
    NODE_COMPILE_CACHE: compiled,
    ...(server ? { TEST_DATABASE_URL: server.url } : {}),
  },
});
// Ctrl-C reaches the runner by itself; the server must not end before it.
process.on('SIGINT', () => {});
const code = await new Promise<number>((resolve) => run.once('exit', (status) => resolve(status ?? 1)));
await server?.stop();
process.exitCode = code;
