package io.outboxed.servers.files;

import io.outboxed.servers.process.ServerFailedException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** A compressed tar on the class path, as the jars with server binaries contain it. */
public record Archive(String resource) {

    /** Unpacks the archive into the cache, once for each version. */
    public Path unpacked() {
        refuseOtherPlatforms();
        return Cache.once(name(), this::unpack);
    }

    /** The name of its jar, which contains the version. */
    public String name() {
        URL found = Archive.class.getResource(resource);
        if (found == null) {
            throw new ServerFailedException(resource + " is not on the class path");
        }
        String jar = found.getPath().replaceFirst("\\.jar!.*", "");
        return jar.substring(jar.lastIndexOf('/') + 1);
    }

    private void unpack(Path target) {
        try (TarArchiveInputStream tar = open()) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpack(entry, tar, target);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Unpacking " + resource + " to " + target + " failed", e);
        }
    }

    private static void unpack(TarArchiveEntry entry, InputStream content, Path target) throws IOException {
        Path path = target.resolve(entry.getName()).normalize();
        if (!path.startsWith(target)) {
            throw new IOException("leaves its directory: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return;
        }
        Files.createDirectories(path.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else if (entry.isLink()) {
            Files.createLink(path, target.resolve(entry.getLinkName()).normalize());
        } else {
            Files.copy(content, path);
            if ((entry.getMode() & 0b001_000_000) != 0) {
                path.toFile().setExecutable(true, false);
            }
        }
    }

    private TarArchiveInputStream open() throws IOException {
        BufferedInputStream buffered = new BufferedInputStream(Archive.class.getResourceAsStream(resource));
        return new TarArchiveInputStream(
                resource.endsWith("gz") ? new GZIPInputStream(buffered) : new XZInputStream(buffered));
    }

    private static void refuseOtherPlatforms() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch");
        if (!system.equals("linux") || !machine.equals("amd64")) {
            throw new ServerFailedException("Real databases are started on Linux x86_64 only, this is " + system + " "
                    + machine + ": use H2, or point the tool to a server of your own");
        }
    }
}
