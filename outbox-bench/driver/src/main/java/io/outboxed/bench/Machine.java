package io.outboxed.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The machine on which the figures were measured. */
public final class Machine {
    private Machine() {}

    public static String description() {
        return processor() + ", " + Runtime.getRuntime().availableProcessors() + " cores, " + memoryGigabytes()
                + " GiB, " + System.getProperty("os.name") + " "
                + System.getProperty("os.version").replaceFirst("-.*", "") + ", JDK "
                + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")";
    }

    /** The load average of the last minute; other processes distort the figures. */
    public static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    private static String processor() {
        return lineOf("/proc/cpuinfo", "model name");
    }

    private static long memoryGigabytes() {
        String kilobytes = lineOf("/proc/meminfo", "MemTotal").replaceAll("\\D", "");
        return kilobytes.isEmpty() ? 0 : Math.round(Long.parseLong(kilobytes) / 1024.0 / 1024.0);
    }

    private static String lineOf(String file, String name) {
        Path path = Path.of(file);
        if (!Files.isReadable(path)) {
            return "unknown";
        }
        try (Stream<String> lines = Files.lines(path)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
