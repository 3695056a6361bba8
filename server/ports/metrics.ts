/**
 * A part outside of the process. `limit_store` is the Redis of REDIS_URL, `replicas` is the database of DATABASE_READ_URL,
 * and `signer` is that of TREASURY_SIGNER_URL.
 */
export type Dependency = 'database' | 'replicas' | 'storage' | 'chain' | 'facilitator' | 'signer' | 'limit_store';
