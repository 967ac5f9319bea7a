package io.outboxed.servers.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZipTest {

    @TempDir
    Path directory;

    @Test
    void the_top_directory_becomes_the_target() throws IOException {
        Path target = directory.resolve("home");

        new Zip(zipWith("server-1.2/", "server-1.2/bin/run.sh")).unpackTo(target);

        assertThat(target.resolve("bin/run.sh")).hasContent("server-1.2/bin/run.sh");
    }

    @Test
    void a_file_that_would_leave_the_target_is_refused() throws IOException {
        Path zip = zipWith("server-1.2/../../outside");

        assertThatThrownBy(() -> new Zip(zip).unpackTo(directory.resolve("home")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("../../outside");
        assertThat(directory.resolve("outside")).doesNotExist();
    }

    private Path zipWith(String... names) throws IOException {
        Path file = directory.resolve("server.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (String name : names) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(name.endsWith("/") ? new byte[0] : name.getBytes(StandardCharsets.UTF_8));
            }
        }
        return file;
    }
}
