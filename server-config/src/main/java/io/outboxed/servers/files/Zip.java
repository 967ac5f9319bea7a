package io.outboxed.servers.files;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** A server's distribution as a zip with a single top-level directory. */
public record Zip(Path file) {

    /**
     * Unpacks the content of that directory into the target. No file becomes executable, because the JDK does not read
     * that flag.
     */
    public void unpackTo(Path target) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                unpack(entry, zip, target);
            }
        }
    }

    private static void unpack(ZipEntry entry, InputStream content, Path target) throws IOException {
        String withoutTop = entry.getName().replaceFirst("^[^/]+/?", "");
        Path path = target.resolve(withoutTop).normalize();
        if (!path.startsWith(target)) {
            throw new IOException("leaves its directory: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return;
        }
        Files.createDirectories(path.getParent());
        Files.copy(content, path);
    }
}
