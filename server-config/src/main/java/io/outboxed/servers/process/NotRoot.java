package io.outboxed.servers.process;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;

/**
 * PostgreSQL refuses to run as root, which is the user of many build containers. Then it runs in a user namespace of
 * its own, where root is the user nobody. If namespaces are forbidden, it runs as the user nobody, who gets access to
 * root's directories.
 */
public final class NotRoot {
    private static final List<List<String>> WAYS = List.of(
            List.of("unshare", "-U"),
            List.of(
                    "setpriv",
                    "--reuid=65534",
                    "--regid=65534",
                    "--clear-groups",
                    "--securebits=+no_setuid_fixup",
                    "--inh-caps=+dac_override",
                    "--ambient-caps=+dac_override"));
    private static final List<String> PREFIX = find();

    private NotRoot() {}

    /** The prefix of the command; empty for an ordinary user. */
    public static List<String> prefix() {
        return PREFIX;
    }

    public static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static List<String> find() {
        return isRoot() ? WAYS.stream().filter(NotRoot::works).findFirst().orElseThrow(NotRoot::noWay) : List.of();
    }

    private static boolean works(List<String> way) {
        try {
            List<String> command = new ArrayList<>(way);
            command.add("true");
            return new ProcessBuilder(command)
                            .redirectOutput(Redirect.DISCARD)
                            .redirectError(Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static ServerFailedException noWay() {
        return new ServerFailedException("PostgreSQL cannot be run by root, and neither 'unshare' nor 'setpriv' can"
                + " run it as another user here: run the build as an ordinary user");
    }
}
