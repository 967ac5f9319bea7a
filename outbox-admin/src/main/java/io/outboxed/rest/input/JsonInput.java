package io.outboxed.rest.input;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.rest.problem.Problem;
import io.outboxed.rest.problem.ProblemException;
import io.outboxed.rest.problem.ProblemType;
import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.stream.JsonParser;
import jakarta.json.stream.JsonParser.Event;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** Reads a body: one JSON object of values and objects, of limited size and depth, without repeated names. */
public final class JsonInput {
    /** Of a body without a payload. */
    public static final int MAX_BYTES = 16 * 1024;

    /** JSON may write each byte of a payload as six characters, for example a tab. */
    private static final int ESCAPED = 6;

    private static final int MAX_DEPTH = 3;

    private final JsonParser parser;

    private JsonInput(JsonParser parser) {
        this.parser = parser;
    }

    /** How long a body may be that has a payload beside its other fields. */
    public static int mostBytes(OutboxConfig.Payload payload) {
        return MAX_BYTES + ESCAPED * payload.maxBytes();
    }

    public static Input read(InputStream body) throws IOException {
        return read(body, MAX_BYTES);
    }

    public static Input read(InputStream body, int mostBytes) throws IOException {
        byte[] bytes = body.readNBytes(mostBytes + 1);
        if (bytes.length > mostBytes) {
            throw new ProblemException(Problem.tooLarge(mostBytes));
        }
        try (JsonParser parser = Json.createParser(new StringReader(text(bytes)))) {
            if (!parser.hasNext() || parser.next() != Event.START_OBJECT) {
                throw refused("expected one JSON object");
            }
            Map<String, Object> values = new JsonInput(parser).object(1);
            if (parser.hasNext()) {
                throw refused("expected nothing after the JSON object");
            }
            return new Input(values, List.of());
        } catch (JsonException | IllegalStateException | NoSuchElementException e) {
            throw refused("it is not JSON");
        }
    }

    private Map<String, Object> object(int depth) {
        if (depth > MAX_DEPTH) {
            throw refused("it is nested deeper than " + MAX_DEPTH);
        }
        Map<String, Object> values = new HashMap<>();
        for (Event event; (event = parser.next()) != Event.END_OBJECT; ) {
            if (event != Event.KEY_NAME) {
                throw refused("it is not JSON");
            }
            String name = parser.getString();
            Object value = value(parser.next(), depth);
            if (values.containsKey(name)) {
                throw refused("a name is repeated");
            }
            values.put(name, value);
        }
        return values;
    }

    /** A number stays as it was written: 1e999999999 must never be computed. */
    private Object value(Event event, int depth) {
        return switch (event) {
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER -> new StringBuilder(parser.getString());
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case START_OBJECT -> object(depth + 1);
            default -> throw refused("lists are not expected");
        };
    }

    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw refused("it is not UTF-8");
        }
    }

    private static ProblemException refused(String why) {
        return new ProblemException(ProblemType.INVALID, "Can't read the body: " + why + "; nothing was changed.");
    }
}
