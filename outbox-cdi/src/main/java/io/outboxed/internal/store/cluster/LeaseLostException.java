package io.outboxed.internal.store.cluster;

/** The shard row has another owner or epoch: another node decides now. */
public final class LeaseLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Lease lease;

    public LeaseLostException(Lease lease) {
        super("shard " + lease.shard() + " is no longer held by " + lease.owner() + " at epoch " + lease.epoch());
        this.lease = lease;
    }

    public Lease lease() {
        return lease;
    }
}
