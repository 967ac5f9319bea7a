package io.outboxed.bench.workloads;

/** One question, answered on one database. */
public interface Workload {

    /** {@code W1}. */
    String id();

    /** One line for people. */
    String what();

    void run(Stage stage);
}
