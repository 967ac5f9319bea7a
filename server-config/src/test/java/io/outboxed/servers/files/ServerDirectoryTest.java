package io.outboxed.servers.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerDirectoryTest {

    @Test
    void a_chosen_directory_is_its_owners_only(@TempDir Path parent) throws IOException {
        assumeTrue(Files.getFileStore(parent).supportsFileAttributeView("posix"), "not on Windows");
        Path chosen = Files.createDirectory(parent.resolve("demo"));
        Files.setPosixFilePermissions(chosen, PosixFilePermissions.fromString("rwxr-xr-x"));

        ServerDirectory directory = ServerDirectory.open(chosen, "server");
        try {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(chosen)))
                    .isEqualTo("rwx------");
        } finally {
            directory.close();
        }
    }
}
