package io.outboxed.faults.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One call of a handler, as recorded in its node's journal.
 *
 * @param end {@link #NEVER} if its node was killed before
 */
public record Call(
        String node,
        String handler,
        String id,
        String account,
        long number,
        int attempt,
        long start,
        long end,
        boolean succeeded) {

    public static final long NEVER = Long.MAX_VALUE;

    public boolean ended() {
        return end != NEVER;
    }

    public boolean failed() {
        return ended() && !succeeded;
    }

    /** The calls of all journals, ordered by their start. */
    public static List<Call> read(List<Path> journals) {
        List<Call> calls = new ArrayList<>();
        for (Path journal : journals) {
            calls.addAll(read(journal));
        }
        calls.sort(Comparator.comparingLong(Call::start));
        return calls;
    }

    /** The dead letters that were replayed or discarded. */
    public static List<Facts.Letter> died(List<Path> journals) {
        List<Facts.Letter> letters = new ArrayList<>();
        for (Path journal : journals) {
            for (String line : lines(journal)) {
                String[] words = line.split(" ");
                if (words[0].equals("D")) {
                    letters.add(Facts.Letter.of(words[2], words[1], words[3].replace('_', ' ')));
                }
            }
        }
        return letters;
    }

    /** The dead letters that may have been discarded: bean and id. */
    public static Set<String> discardable(List<Path> journals) {
        return journals.stream()
                .flatMap(journal -> lines(journal).stream())
                .map(line -> line.split(" "))
                .filter(words -> words[0].equals("X"))
                .map(words -> Facts.Letter.of(words[2], words[1], ""))
                .map(letter -> letter.bean() + " " + letter.id())
                .collect(Collectors.toSet());
    }

    /** The ids of the requests that were answered. */
    public static List<String> answered(List<Path> journals) {
        return journals.stream()
                .flatMap(journal -> lines(journal).stream())
                .map(line -> line.split(" "))
                .filter(words -> words[0].equals("R"))
                .map(words -> words[1])
                .toList();
    }

    private static List<Call> read(Path journal) {
        String node = journal.getParent().getFileName().toString().replaceFirst("-\\d+$", "");
        Map<String, Call> calls = new HashMap<>();
        for (String line : lines(journal)) {
            String[] words = line.split(" ");
            switch (words[0] + words.length) {
                case "S8" -> calls.put(words[1], started(node, words));
                case "E4" -> calls.computeIfPresent(words[1], (call, started) -> started.ended(words));
                case "D5", "X4", "R3" -> {} // dead letters, a request that was answered
                default -> throw new IllegalStateException(journal + " has a line that is none: " + line);
            }
        }
        return List.copyOf(calls.values());
    }

    /** Empty if the node was killed before its first call. */
    private static List<String> lines(Path journal) {
        try {
            String all = Files.exists(journal) ? Files.readString(journal) : "";
            // a killed node may have written half of its last line
            return all.substring(0, all.lastIndexOf('\n') + 1).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Call started(String node, String[] words) {
        return new Call(
                node,
                words[2].intern(),
                words[3],
                words[4].intern(),
                Long.parseLong(words[5]),
                Integer.parseInt(words[6]),
                Long.parseLong(words[7]),
                NEVER,
                false);
    }

    private Call ended(String[] words) {
        return new Call(
                node, handler, id, account, number, attempt, start, Long.parseLong(words[3]), words[2].equals("ok"));
    }

    @Override
    public String toString() {
        return account + "/" + number + " " + handler + " try " + attempt + " on " + node + " at " + start
                + (ended() ? (succeeded ? " ok" : " failed") + " after " + (end - start) + " us" : " never ended")
                + " ("
                + id + ")";
    }
}
