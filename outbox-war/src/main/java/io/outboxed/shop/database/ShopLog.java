package io.outboxed.shop.database;

import java.lang.System.Logger.Level;

/** Every line that the shop logs. */
public final class ShopLog {

    private static final System.Logger LOG = System.getLogger("io.outboxed.shop");

    private ShopLog() {}

    static void noTables(ShopDatabaseException down) {
        LOG.log(
                Level.WARNING,
                "OUTBOX-0701 could not create the shop's tables (" + firstLine(down)
                        + "); each request retries and is answered with 503 until it succeeds");
    }

    public static void unreachable(Throwable failure) {
        LOG.log(
                Level.WARNING,
                "OUTBOX-0702 a request was answered with 503 because the database is not reachable: "
                        + firstLine(failure));
    }

    public static void failed(Throwable failure) {
        LOG.log(Level.ERROR, "OUTBOX-0703 a request was answered with 500", failure);
    }

    /** The only password that is ever logged: it is of this start of the demo. */
    public static void demoUser(String name, String password) {
        LOG.log(
                Level.INFO,
                "OUTBOX-0704 the admin API is enabled, with the user " + name
                        + " until this application stops; password: " + password);
    }

    /** The first line only: drivers write whole paragraphs. */
    private static String firstLine(Throwable failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("no message");
    }
}
