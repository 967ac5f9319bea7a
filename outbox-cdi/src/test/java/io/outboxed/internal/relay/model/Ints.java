package io.outboxed.internal.relay.model;

import java.util.Arrays;

/** A list of numbers. */
final class Ints {
    private int[] values = new int[1024];
    private int size;

    void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    int get(int index) {
        return values[index];
    }

    int size() {
        return size;
    }
}
