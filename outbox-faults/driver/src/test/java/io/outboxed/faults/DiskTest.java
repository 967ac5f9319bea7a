package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Only with -Pfaults: a user may not be allowed to mount a disk. */
@Tag("system")
class DiskTest {
    private static final int ROOM_BEFORE = 1;
    private static final int NO_ROOM = 2;
    private static final int ROOM_AFTERWARDS = 4;

    @Test
    void a_full_disk_takes_nothing_until_it_is_cleared() {
        OptionalInt code = Disk.run(Writer.class);
        assumeThat(code).as("this user may mount a disk").isPresent();
        assertThat(code).hasValue(ROOM_BEFORE | NO_ROOM | ROOM_AFTERWARDS);
    }

    /** Reports what happened as its exit code. */
    static final class Writer {
        public static void main(String[] arguments) {
            Disk disk = Disk.mounted().orElseThrow();
            Path file = disk.directory().resolve("file");
            int code = writes(file) ? ROOM_BEFORE : 0;
            disk.fill();
            code |= writes(file.resolveSibling("another")) ? 0 : NO_ROOM;
            disk.clear();
            code |= writes(file.resolveSibling("third")) ? ROOM_AFTERWARDS : 0;
            System.exit(code);
        }

        private static boolean writes(Path file) {
            try {
                Files.write(file, new byte[1 << 20]);
                return true;
            } catch (IOException full) {
                return false;
            }
        }
    }
}
