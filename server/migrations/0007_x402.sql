-- The signer lanes of the in-process facilitator.

-- The process that may broadcast with a facilitator key now. If two processes counted the same account nonce, payments
-- would be lost. Unlogged: a lease means nothing after a crash, and a process must not wait for a disk to take one.
create unlogged table signer_lanes (
  address text primary key,
  holder text not null,
  lease_until timestamptz not null,
  -- The connection that took the lane. When it is gone, the lane is free, whatever the lease says.
  backend_pid integer,
  backend_start timestamptz
);
