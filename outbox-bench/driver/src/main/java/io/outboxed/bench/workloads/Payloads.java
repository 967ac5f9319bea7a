package io.outboxed.bench.workloads;

import io.outboxed.bench.database.Shape;

/** W9: what throughput in bytes do large payloads reach? */
public final class Payloads implements Workload {
    private static final int KIBIBYTE = 1024;
    /** Each run moves about this amount, and at least a few messages for each worker. */
    private static final int BYTES_FOR_A_MESSAGE = 1000;

    private static final int FEWEST = 64;

    @Override
    public String id() {
        return "W9";
    }

    @Override
    public String what() {
        return "payloads of 1 KiB to 1 MiB";
    }

    @Override
    public void run(Stage stage) {
        for (int kibibytes : new int[] {1, 16, 128, 1024}) {
            int bytes = kibibytes * KIBIBYTE;
            long total = (long) stage.options().messages() * BYTES_FOR_A_MESSAGE;
            Shape shape = Shape.of(
                            Shape.TICK,
                            (int) Math.max(FEWEST, total / bytes),
                            stage.options().aggregates())
                    .withPayload(bytes);
            new DrainRace(stage, id(), kibibytes + " KiB", "limit")
                    .run(stage.drainers("limit"), shape)
                    .reportBytes(bytes);
        }
    }
}
