package io.outboxed.servers;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;

/**
 * PostgreSQL refuses to be run by root, which is what many build containers are. Then it runs in a user namespace of its
 * own, where root is nobody; where those are forbidden, as nobody that may still reach root's directories.
 */
final class NotRoot {
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

    /** What to put before a command; nothing for an ordinary user. */
    static List<String> prefix() {
        return PREFIX;
    }

    static boolean isRoot() {
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
                + " run it as somebody else here: run the build as an ordinary user");
    }
}
