package io.outboxed.internal.store;

/** All about nodes that claim lanes by locks of their sessions, on a database that has such locks. */
interface AdvisoryLockContract
        extends LaneLocksContract,
                SharedShardsContract,
                LaneLockProbeContract,
                LockSessionStartContract,
                LockSessionLimitsContract,
                LockSessionEndContract,
                LostLockSessionContract {}
