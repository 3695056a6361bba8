import type { PoolOptions } from './connections.ts';
import { createPool } from './pool.ts';
import type { Db } from '../ports/database.ts';

/** Longer than `statement_timeout` of the role (10 s). */
const ANSWER_MS = 12_000;
/** A read that takes longer fails. */
const READ_MS = 8_000;
const READ_ANSWER_MS = 10_000;

/** The pool of what writes, and of what writes follow from: keys, limits, quotes. */
export const createMainPool = (options: PoolOptions): Db => createPool({ ...options, answerMs: ANSWER_MS });

/** A pool of lists, searches, and pages. PostgreSQL refuses every write on it. */
export const createReadPool = (options: PoolOptions): Db =>
  createPool({ ...options, readOnlyForMs: READ_MS, answerMs: READ_ANSWER_MS });
