package io.outboxed.internal.relay.model;

/**
 * One step of the system.
 *
 * @param node that makes it, -1 for the database or an operator
 * @param row it is about, may be null
 */
record Step(int node, String what, ModelRow row, ModelState next) {

    /** Takes the steps that are possible. */
    interface Sink {
        void add(Step step);

        default void add(ModelNode node, String what, ModelRow row, ModelState next) {
            add(new Step(node.number(), what, row, next));
        }
    }

    @Override
    public String toString() {
        return (node < 0 ? "        " : "node " + node + ": ") + what + (row == null ? "" : " " + row);
    }
}
