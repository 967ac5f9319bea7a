package io.outboxed.cli.output;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of Outboxed, as written by the build. */
public final class VersionProvider implements IVersionProvider {
    private static final String FILE = "/io/outboxed/version.properties";

    @Override
    public String[] getVersion() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = VersionProvider.class.getResourceAsStream(FILE)) {
            properties.load(in);
        }
        return new String[] {"outbox " + properties.getProperty("version")};
    }
}
