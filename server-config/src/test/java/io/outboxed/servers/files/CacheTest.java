package io.outboxed.servers.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a cached directory is made, and made again. */
class CacheTest {
    private static final String CACHE = "outboxed.servers.cache";

    @TempDir
    Path cache;

    private final String before = System.getProperty(CACHE);
    private int makings;

    @BeforeEach
    void a_cache_of_its_own() {
        System.setProperty(CACHE, cache.toString());
    }

    @AfterEach
    void the_cache_of_the_others() {
        if (before == null) {
            System.clearProperty(CACHE);
        } else {
            System.setProperty(CACHE, before);
        }
    }

    @Test
    void what_is_complete_is_made_once_also_if_a_program_has_added_a_file() throws IOException {
        Path made = server();
        Files.createFile(made.resolve("lib/added"));

        assertThat(server()).isEqualTo(made);
        assertThat(makings).isOne();
    }

    /** As do systems that delete what has not been read for ten days. */
    @Test
    void what_has_lost_a_file_is_made_again() throws IOException {
        Path made = server();
        Files.delete(made.resolve("lib/server.jar"));

        assertThat(server().resolve("lib/server.jar")).exists();
        assertThat(server()).isEqualTo(made);
        assertThat(makings).isEqualTo(2);
        assertThat(cache).isDirectoryNotContaining("glob:**.incomplete").isDirectoryNotContaining("glob:**.unfinished");
    }

    @Test
    void so_is_what_has_lost_an_empty_directory() throws IOException {
        Files.delete(server().resolve("tmp"));

        assertThat(server().resolve("tmp")).isDirectory();
    }

    @Test
    void so_is_what_is_not_known_to_be_complete() throws IOException {
        Path made = Files.createDirectories(cache.resolve("server"));

        assertThat(server().resolve("lib/server.jar")).exists();
        assertThat(server()).isEqualTo(made);
        assertThat(makings).isOne();
    }

    @Test
    void what_could_not_be_made_is_tried_again() {
        assertThatThrownBy(() -> Cache.once("server", target -> {
                    throw new IllegalStateException("disk full");
                }))
                .hasMessage("disk full");

        assertThat(server()).isDirectory();
    }

    private Path server() {
        return Cache.once("server", target -> {
            makings++;
            try {
                Files.createFile(Files.createDirectories(target.resolve("lib")).resolve("server.jar"));
                Files.createDirectory(target.resolve("tmp"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
