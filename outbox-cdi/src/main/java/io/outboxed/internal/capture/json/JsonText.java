package io.outboxed.internal.capture.json;

import io.outboxed.OutboxException;
import jakarta.json.spi.JsonProvider;
import jakarta.json.stream.JsonLocation;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParsingException;
import java.io.StringReader;

/** Checks that a text is one JSON value, with the server's parser, which reads it without building anything. */
public final class JsonText {
    /** Cached, because each call of {@code Json} searches for the provider. */
    private static final JsonProvider JSON = JsonProvider.provider();

    private JsonText() {}

    /**
     * @param what describes the text in the error message, which contains no more of the text than the parser's message:
     *     at most one character
     * @throws OutboxException with the position and the rule that is violated
     */
    public static void require(String text, String what) {
        try (JsonParser parser = JSON.createParser(new StringReader(text))) {
            boolean empty = true;
            while (parser.hasNext()) {
                parser.next();
                empty = false;
            }
            if (empty) {
                throw refused(what, "at offset 0: it is empty", null);
            }
        } catch (JsonParsingException e) {
            throw refused(what, "at " + position(e.getLocation()) + ": " + e.getMessage(), e);
        } catch (OutboxException e) {
            throw e;
        } catch (RuntimeException e) {
            // for example nested more deeply than the parser allows
            throw refused(what, "for the server's parser: " + e.getMessage(), e);
        }
    }

    private static String position(JsonLocation location) {
        return "line " + location.getLineNumber() + ", column " + location.getColumnNumber() + ", offset "
                + location.getStreamOffset();
    }

    private static OutboxException refused(String what, String why, RuntimeException cause) {
        return new OutboxException(
                "OUTBOX-0118",
                what + " is not valid JSON " + why + ". Nothing was stored. Publish JSON, or other data as byte[]; for"
                        + " another text format set outbox.payload.format=binary or outbox.payload.validate=false",
                cause);
    }
}
