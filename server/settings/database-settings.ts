import { z } from 'zod';
import { parseDatabaseUrl } from './database-url.ts';
import { number, type Setting } from './setting.ts';

const databaseUrl = z.string().superRefine((value, context) => {
  try {
    parseDatabaseUrl(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
});

/** How the service reaches its database. */
export const databaseSettings = {
  DATABASE_URL: {
    secret: true,
    schema: databaseUrl.optional(),
    default: 'embedded PostgreSQL',
    production: 'required',
    doc: 'PostgreSQL 15 or later: `postgres://user:password@host:5432/name`, with one host: that of the primary, or of a proxy that leads to it. libpq’s `sslmode`, `sslrootcert`, `sslcert`, `sslkey`, `host` (a folder with a Unix socket), `options`, and `application_name` work; hints for other clients are ignored, and any other parameter ends the start.',
  },
  DATABASE_READ_URL: {
    secret: true,
    schema: databaseUrl.optional(),
    default: 'none',
    doc: 'A streaming replica, or a balancer before several, for requests without a key: the public market, galleries, profiles, the leaderboard, feeds, and the sitemap. They are as old as the replica. All other requests read DATABASE_URL.',
  },
  DATABASE_PREPARE: {
    schema: z.enum(['true', 'false']).default('true'),
    default: 'true',
    doc: '`false` sends every statement without preparing it. Needed behind PgBouncer in transaction mode before version 1.21, or with `max_prepared_statements = 0`.',
  },
  DATABASE_POOLER: {
    schema: z.enum(['true', 'false']).default('false'),
    default: 'false',
    doc: '`true` behind a pooler such as PgBouncer. The connections of the database then belong to the pooler and do not tell whether a process lives, so the signing lane of a killed process becomes free at the end of its lease (5 s) instead of at once.',
  },
  DATABASE_POOL: {
    schema: number.int().min(2).max(200).default(10),
    default: '10',
    doc: 'Database connections of each of the two pools of a process. One of them only reads, for lists, searches, and pages: PostgreSQL ends each of its statements after 8 s. A pooler in between must accept or ignore its startup parameter `options`.',
  },
} satisfies Record<string, Setting>;
