package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverPathTest {
    private static final int CLASS_FILE = 0xCAFEBABE;
    private static final short NEWER_THAN_ANY = 0x7000;

    @TempDir
    Path directory;

    @Test
    void a_driver_for_a_newer_java_is_passed_over() throws IOException {
        Path jar = directory.resolve("newer.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("META-INF/services/java.sql.Driver"));
            out.write("newer.Driver\n".getBytes(StandardCharsets.UTF_8));
            out.putNextEntry(new JarEntry("newer/Driver.class"));
            out.write(ByteBuffer.allocate(64)
                    .putInt(CLASS_FILE)
                    .putShort((short) 0)
                    .putShort(NEWER_THAN_ANY)
                    .array());
        }
        ScriptedTerminal terminal = new ScriptedTerminal();

        int code = Main.run(terminal, "status", "--url", "jdbc:newer:shop", "--driver-path", jar.toString());

        assertThat(code).as(terminal.errors()).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.errors()).contains("no JDBC driver accepts jdbc:newer:", "it may need a newer Java");
    }
}
