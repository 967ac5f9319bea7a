package io.outboxed.internal.relay;

/** {@code mvn -Psimulate -Dsimulation.seeds=100000 [-Dsimulation.first=1]}: many seeds on all cores. */
final class SimulationRun {
    private SimulationRun() {}

    public static void main(String[] arguments) throws InterruptedException {
        long seeds = Long.parseLong(arguments[0]);
        long wanted = Long.parseLong(arguments[1]);
        long first = wanted == 0 ? System.nanoTime() % 1_000_000_000 : wanted;
        int threads = Runtime.getRuntime().availableProcessors();
        System.out.println("seeds " + first + " to " + (first + seeds - 1) + " on " + threads + " threads");
        boolean failed =
                !new Simulation(null, threads, 20, System.out).run(first, seeds).isEmpty();
        if (failed) {
            System.exit(1);
        }
    }
}
