package io.outboxed.servers.database;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A JVM that starts a database server and is killed before it can stop it. */
final class OrphanMaker {
    private OrphanMaker() {}

    static long leaveBehind(Class<? extends RealDatabaseContract> kind, Path directory) throws IOException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OrphanMaker.class.getName(),
                        kind.getSimpleName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
            return Long.parseLong(output.readLine());
        } finally {
            jvm.destroyForcibly();
            jvm.onExit().join();
        }
    }

    public static void main(String[] arguments) throws IOException {
        ServerOptions options = ServerOptions.in(Path.of(arguments[1]));
        RealDatabase database = start(arguments[0], options);
        System.out.println(database.pid());
        System.in.read(); // until killed
    }

    private static RealDatabase start(String kind, ServerOptions options) {
        return switch (kind) {
            case "RealMySqlTest" -> RealMySql.start(options);
            case "RealMariaDbTest" -> RealMariaDb.start(options);
            default -> RealPostgres.start(options);
        };
    }
}
