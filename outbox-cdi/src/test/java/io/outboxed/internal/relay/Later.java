package io.outboxed.internal.relay;

/** Something that happens once. */
final class Later implements Actor {
    private final Runnable what;
    private long at;

    Later(long at, Runnable what) {
        this.at = at;
        this.what = what;
    }

    @Override
    public long dueAt() {
        return at;
    }

    @Override
    public void step() {
        at = NEVER;
        what.run();
    }
}
