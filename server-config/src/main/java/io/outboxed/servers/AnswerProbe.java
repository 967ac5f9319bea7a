package io.outboxed.servers;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/** Requests a page from a server on this machine until it is answered. */
final class AnswerProbe {
    private static final int PATIENCE_MILLIS = 5_000;

    private final URI uri;
    private String last = "was not asked yet";

    AnswerProbe(int port, String path) {
        this.uri = URI.create("http://127.0.0.1:" + port + path);
    }

    boolean answers() {
        last = ask();
        return last.equals("200");
    }

    @Override
    public String toString() {
        return uri + " answers " + last;
    }

    private String ask() {
        try {
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            return Integer.toString(connection.getResponseCode());
        } catch (IOException e) {
            return "nothing (" + e.getMessage() + ")";
        }
    }
}
