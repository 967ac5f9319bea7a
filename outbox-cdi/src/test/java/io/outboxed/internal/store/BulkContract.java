package io.outboxed.internal.store;

/** Bulk operations. */
interface BulkContract
        extends BulkChangesContract,
                BulkCancelContract,
                BulkTakeoverContract,
                BulkOverlapContract,
                BulkStorageContract {}
