package io.outboxed.guards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Compiles sources with edits into a directory that goes in front of a class path. */
public final class EditedClasses {
    private static final String MAIN = "src/main/java/";
    private static final String RESOURCES = "src/main/resources/";
    /** The compiler copies its value into the classes that use it. */
    private static final Pattern CONSTANT =
            Pattern.compile("(?m)^ +(?:public )?static final (?:String|int|long|boolean) [A-Z_]+\\b");

    private EditedClasses() {}

    /** @return the sources with the edits, by file */
    public static Map<Path, String> sources(List<Edit> edits) throws IOException {
        Map<Path, String> sources = new LinkedHashMap<>();
        for (Edit edit : edits) {
            String source = sources.getOrDefault(edit.file(), Files.readString(edit.file()));
            sources.put(edit.file(), edit.applyTo(source));
        }
        return sources;
    }

    /** @return the directory of the classes; empty if they do not compile, as the compiler then says */
    public static Optional<Path> compile(List<Edit> edits, String classPath) throws IOException {
        Path classes = Files.createTempDirectory(Path.of("target"), "edited");
        Path copies = Files.createDirectory(classes.resolve("source"));
        for (Map.Entry<Path, String> source : sources(edits).entrySet()) {
            Path copy = source.getKey().toString().endsWith(".java")
                    ? copies.resolve(source.getKey().getFileName())
                    : classes.resolve(inClassPath(source.getKey()));
            Files.createDirectories(copy.getParent());
            Files.writeString(copy, source.getValue());
        }
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null);
                var found = Files.list(copies)) {
            List<String> options = List.of(
                    "-proc:none",
                    "-parameters",
                    "-nowarn",
                    "-cp",
                    classPath,
                    "-d",
                    classes.toString(),
                    "--release",
                    "17");
            List<Path> edited = new ArrayList<>(found.toList());
            Map<Path, String> sources = sources(edits);
            for (Map.Entry<Path, String> source : sources.entrySet()) {
                usersOfConstants(source.getKey(), source.getValue()).stream()
                        .filter(user -> !sources.containsKey(user))
                        .forEach(edited::add);
            }
            if (!edited.isEmpty()
                    && !compiler.getTask(null, files, null, options, null, files.getJavaFileObjectsFromPaths(edited))
                            .call()) {
                return Optional.empty();
            }
        }
        return Optional.of(classes);
    }

    private static List<Path> usersOfConstants(Path edited, String text) throws IOException {
        String path = edited.toString();
        if (!path.endsWith(".java")
                || !path.contains(MAIN)
                || !CONSTANT.matcher(text).find()) {
            return List.of();
        }
        Pattern use = Pattern.compile("\\b" + edited.getFileName().toString().replace(".java", "") + "\\.[A-Z_]+\\b");
        List<Path> users = new ArrayList<>();
        Path module = Path.of(path.substring(0, path.indexOf(MAIN) + MAIN.length()));
        try (Stream<Path> sources =
                Files.walk(module).filter(file -> file.toString().endsWith(".java"))) {
            for (Path source : sources.toList()) {
                if (use.matcher(Files.readString(source)).find()) {
                    users.add(source);
                }
            }
        }
        return users;
    }

    private static Path inClassPath(Path resource) {
        String name = resource.toString();
        return Path.of(name.substring(name.indexOf(RESOURCES) + RESOURCES.length()));
    }
}
