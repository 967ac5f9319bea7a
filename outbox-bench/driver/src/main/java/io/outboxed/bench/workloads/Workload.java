package io.outboxed.bench.workloads;

/** One question, answered on one database. */
public interface Workload {

    /** {@code W1}. */
    String id();

    /** One line for the page. */
    String what();

    void run(Stage stage);
}
