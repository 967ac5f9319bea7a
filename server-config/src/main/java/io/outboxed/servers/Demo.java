package io.outboxed.servers;

import java.nio.file.Path;

/** The demo shop on Payara Micro and a database of choice, until somebody ends it. Data survives, in its directory. */
public final class Demo {
    private final Path payara;
    private final Path war;
    private final Path directory;
    private final int port;
    private final String database;

    private Demo(Path payara, Path war, Path directory, int port, String database) {
        this.payara = payara;
        this.war = war;
        this.directory = directory;
        this.port = port;
        this.database = database;
    }

    /** @param arguments Payara Micro's jar, the WAR, a directory for data, the port, the database */
    public static void main(String[] arguments) {
        Demo demo = new Demo(
                Path.of(arguments[0]).toAbsolutePath(),
                Path.of(arguments[1]).toAbsolutePath(),
                Path.of(arguments[2]).toAbsolutePath(),
                Integer.parseInt(arguments[3]),
                arguments[4]);
        demo.run();
    }

    private void run() {
        try (PayaraMicro server = new PayaraMicro(payara, war, directory.resolve("payara"), port)) {
            refuseTakenPort();
            say("Starting the database (" + database + ") ...");
            try (DemoDatabase data = DemoDatabase.start(database, directory)) {
                say("Database: " + data.url());
                say("Starting Payara Micro, which takes some 15 seconds. Its log: " + server.log());
                server.start(data.environment())
                        .awaitAnswer("/outbox/shop/dead-letters")
                        .awaitAnswer("/outbox/");
                say(howToTry());
                awaitEnd(server);
            }
        }
    }

    private static void awaitEnd(PayaraMicro server) {
        int code = server.awaitEnd();
        Children.leaveToHook();
        throw new ServerFailedException("Payara Micro ended with exit code " + code + ", its log is " + server.log()
                + ". Start the demo again: nothing that was answered is lost.");
    }

    private void refuseTakenPort() {
        if (!FreePort.isFree(port)) {
            throw new ServerFailedException("Port " + port + " is in use: choose another one with -Ddemo.port=<port>");
        }
    }

    private String howToTry() {
        String shop = "http://localhost:" + port + "/outbox/";
        return """

                The shop is open:  %1$s

                  curl -i %1$sshop/orders -H 'Content-Type: application/json' \\
                       -d '{"customer":"ada","item":"tea","quantity":2}'
                  curl '%1$sshop/mails?order=1'

                The items "soldout", "flaky" and "poison" show what happens when something fails.
                Data is kept in %2$s
                End with Ctrl-C.
                """.formatted(shop, directory);
    }

    private static void say(String text) {
        System.out.println(text);
        System.out.flush();
    }
}
