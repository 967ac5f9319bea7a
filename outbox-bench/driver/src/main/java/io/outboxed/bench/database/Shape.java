package io.outboxed.bench.database;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * The composition of a backlog.
 *
 * @param type of the events
 * @param payloadBytes of their JSON
 * @param hotPercent percentage of messages that belong to aggregate 0
 */
public record Shape(String type, int messages, int aggregates, int payloadBytes, int hotPercent) {
    public static final String TICK = "bench.tick";
    public static final String ENTRY = "bench.entry";
    public static final String ERRAND = "bench.errand";
    /** The handler fails for each aggregate that {@link #isFlawed}. */
    public static final String FLAWED = "bench.flawed";
    /** The handler fails for each message of {@link #isPoison}, at once and for good. */
    public static final String SPOILED = "bench.spoiled";
    /** As {@link #ENTRY}, and fails as {@link #FLAWED} does. */
    public static final String FLAWED_ENTRY = "bench.flawed-entry";
    /** As {@link #ENTRY}, and fails as {@link #SPOILED} does. */
    public static final String SPOILED_ENTRY = "bench.spoiled-entry";

    public static final int USUAL_BYTES = 512;
    private static final int ONE_IN = 100;
    private static final long SEED = 20_261_120;
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

    public static Shape of(String type, int messages, int aggregates) {
        return new Shape(type, messages, aggregates, USUAL_BYTES, 0);
    }

    public Shape withMessages(int count) {
        return new Shape(type, count, aggregates, payloadBytes, hotPercent);
    }

    public Shape withPayload(int bytes) {
        return new Shape(type, messages, aggregates, bytes, hotPercent);
    }

    public Shape withHotAggregate(int percent) {
        return new Shape(type, messages, aggregates, payloadBytes, percent);
    }

    public interface Consumer {
        void message(int number, long aggregate, String payload) throws Exception;
    }

    /** Generates the same messages each time. Aggregates are 1 to {@link #aggregates}; 0 is the hot one. */
    public void forEach(Consumer consumer) throws Exception {
        Random random = new Random(SEED);
        String text = text(random, 2 * payloadBytes);
        for (int i = 0; i < messages; i++) {
            long aggregate = random.nextInt(100) < hotPercent ? 0 : 1 + random.nextInt(aggregates);
            String begin = "{\"aggregate\":" + aggregate + ",\"text\":\"";
            if (isPoison(i)) {
                consumer.message(i, aggregate, begin + "poison\"}");
                continue;
            }
            int length = Math.max(0, payloadBytes - begin.length() - 2);
            int from = random.nextInt(payloadBytes);
            consumer.message(i, aggregate, begin + text.substring(from, from + length) + "\"}");
        }
    }

    /** One aggregate in a hundred of the flawed types. */
    public boolean isFlawed(long aggregate) {
        return (type.equals(FLAWED) || type.equals(FLAWED_ENTRY)) && aggregate % ONE_IN == 0;
    }

    /** One message in a hundred of the spoiled types, over all aggregates. */
    public boolean isPoison(int number) {
        return (type.equals(SPOILED) || type.equals(SPOILED_ENTRY)) && number % ONE_IN == 0;
    }

    /** Random, because PostgreSQL compresses repetitive text. */
    private static String text(Random random, int length) {
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = (byte) LETTERS.charAt(random.nextInt(LETTERS.length()));
        }
        return new String(text, StandardCharsets.US_ASCII);
    }
}
