package io.outboxed.servers.files;

import io.outboxed.servers.process.ServerFailedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Replacements for shared libraries that MySQL is linked against but does not use here, and that a fresh machine often
 * lacks.
 */
public final class StandInLibraries {
    private static final List<String> NAMES = List.of("libaio.so.1", "libnuma.so.1");
    private static final String SOURCE = "linux-x86_64/";

    private StandInLibraries() {}

    /** Names the directories of the replacements without which the program can't be loaded; none if it can. */
    public static Map<String, String> environmentFor(Path program) {
        StringBuilder path = new StringBuilder();
        String problem = loading(program, "");
        for (String name : NAMES) {
            if (problem.contains(name)) {
                path.append(path.isEmpty() ? "" : ":").append(directoryOf(name));
                problem = loading(program, path.toString());
            }
        }
        if (problem.contains("error while loading shared libraries")) {
            throw new ServerFailedException(program + " cannot be run on this machine: " + problem.strip()
                    + ". Install the package with that library.");
        }
        return path.isEmpty() ? Map.of() : Map.of("LD_LIBRARY_PATH", path.toString());
    }

    private static Path directoryOf(String name) {
        return Cache.once("stand-in-" + name, target -> {
            try (InputStream library = StandInLibraries.class.getResourceAsStream(SOURCE + name)) {
                Files.copy(library, target.resolve(name));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static String loading(Path program, String libraryPath) {
        ProcessBuilder version =
                new ProcessBuilder(program.toString(), "--no-defaults", "--version").redirectErrorStream(true);
        if (!libraryPath.isEmpty()) {
            version.environment().put("LD_LIBRARY_PATH", libraryPath);
        }
        try {
            Process process = version.start();
            process.getOutputStream().close();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot run " + program, e);
        }
    }
}
