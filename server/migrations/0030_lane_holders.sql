-- The connection that took a lane: when it is gone, so is its holder, and nobody waits for the lease to run out.
alter table signer_lanes add column backend_pid integer, add column backend_start timestamptz;
