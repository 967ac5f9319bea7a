package io.outboxed.compatibility;

import java.util.List;

/**
 * One run of the server tests.
 *
 * @param server its name and version
 * @param java the version of the JDK under the server
 * @param database its name and version, as the server reported them at its start
 * @param tests how many ran
 * @param failed how many of them failed or were skipped
 * @param seconds how long it took, the server's start included
 * @param started date and time in UTC
 * @param build the commit that was tested
 * @param classes the test classes that ran
 */
record Cell(
        String server,
        String java,
        String database,
        int tests,
        int failed,
        int seconds,
        String started,
        String build,
        List<String> classes) {

    static Cell parse(String line) {
        List<String> parts = List.of(line.split(",", -1));
        if (parts.size() != 9) {
            throw new IllegalArgumentException(
                    "expected server,java,database,tests,failed,seconds,started,build,classes, got " + line);
        }
        return new Cell(
                parts.get(0),
                parts.get(1),
                parts.get(2),
                Integer.parseInt(parts.get(3)),
                Integer.parseInt(parts.get(4)),
                Integer.parseInt(parts.get(5)),
                parts.get(6),
                parts.get(7),
                List.of(parts.get(8).split(" ")));
    }

    boolean passed() {
        return tests > 0 && failed == 0;
    }

    /** The version without the part that only names a build. */
    String javaMajor() {
        return java.split("[.+]", 2)[0];
    }
}
