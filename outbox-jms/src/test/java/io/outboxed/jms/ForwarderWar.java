package io.outboxed.jms;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** An application that only forwards: jars and no code. */
final class ForwarderWar {
    /** WildFly has its own Hibernate. */
    private static final List<String> JARS = List.of(
            "outbox-api-", "outbox-cdi-", "outbox-ejb-", "outbox-datasource-", "outbox-jms-", "uuid-creator-", "h2-");

    private static final Map<String, String> DESCRIPTORS = Map.of("WEB-INF/beans.xml", """
            <beans xmlns="https://jakarta.ee/xml/ns/jakartaee" bean-discovery-mode="annotated" version="4.0"/>
            """, "WEB-INF/web.xml", """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0"/>
            """);

    private ForwarderWar() {}

    /** From the jars on the class path, which Maven has built before these tests run. */
    static Path in(Path directory) throws IOException {
        Path war = Files.createDirectories(directory).resolve("forwarder.war");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(war))) {
            for (Map.Entry<String, String> descriptor : DESCRIPTORS.entrySet()) {
                out.putNextEntry(new ZipEntry(descriptor.getKey()));
                out.write(descriptor.getValue().getBytes(StandardCharsets.UTF_8));
            }
            for (String prefix : JARS) {
                Path jar = jar(prefix);
                out.putNextEntry(new ZipEntry("WEB-INF/lib/" + jar.getFileName()));
                Files.copy(jar, out);
            }
        }
        return war;
    }

    private static Path jar(String prefix) {
        return Arrays.stream(RealArtemis.classPath().split(File.pathSeparator))
                .map(Path::of)
                .filter(file -> file.getFileName().toString().startsWith(prefix)
                        && file.toString().endsWith(".jar"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("not on the class path: " + prefix + "*.jar"));
    }
}
