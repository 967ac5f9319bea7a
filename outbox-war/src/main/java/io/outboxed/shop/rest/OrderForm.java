package io.outboxed.shop.rest;

import io.outboxed.shop.orders.NewOrder;
import jakarta.json.Json;
import jakarta.json.JsonConfig;
import jakarta.json.JsonException;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonReaderFactory;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import jakarta.json.stream.JsonParser;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** Validates an order's JSON. Names every invalid field, and corrects nothing silently. */
public final class OrderForm {

    static final int MAX_BYTES = 16 * 1024;
    private static final int MAX_DEPTH = 8;
    private static final int MAX_CUSTOMER = 100;
    private static final int MAX_ITEM = 50;
    private static final int MAX_QUANTITY = 1000;
    private static final List<String> FIELDS = List.of("customer", "item", "quantity");
    private static final JsonReaderFactory READERS =
            Json.createReaderFactory(Map.of(JsonConfig.KEY_STRATEGY, JsonConfig.KeyStrategy.NONE));

    private final List<BadField> wrong = new ArrayList<>();

    private OrderForm() {}

    static NewOrder read(byte[] body) {
        return new OrderForm().order(object(text(body)));
    }

    private NewOrder order(JsonObject json) {
        String customer = name(json, "customer", MAX_CUSTOMER);
        String item = name(json, "item", MAX_ITEM);
        int quantity = quantity(json.get("quantity"));
        json.keySet().stream().filter(key -> !FIELDS.contains(key)).forEach(this::unknown);
        if (!wrong.isEmpty()) {
            throw new BadOrderException("The order has missing or invalid fields; nothing was ordered.", wrong);
        }
        return new NewOrder(customer, item, quantity);
    }

    private String name(JsonObject json, String field, int max) {
        JsonValue value = json.get(field);
        String problem = nameProblem(value, max);
        if (problem != null) {
            wrong.add(new BadField(field, problem));
            return "";
        }
        return ((JsonString) value).getString();
    }

    private static String nameProblem(JsonValue value, int max) {
        if (value == null || value == JsonValue.NULL) {
            return "is missing; expected a text of 1 to " + max + " characters";
        }
        if (!(value instanceof JsonString text)) {
            return "expected a text, got " + kind(value);
        }
        String name = text.getString();
        int length = name.codePointCount(0, name.length());
        if (name.isBlank()) {
            return "is empty; expected a text of 1 to " + max + " characters";
        }
        if (length > max) {
            return "expected at most " + max + " characters, got " + length;
        }
        if (name.codePoints().anyMatch(OrderForm::unwritable)) {
            return "contains a control character or an unpaired surrogate";
        }
        return null;
    }

    /** A lone surrogate has no UTF-8 form, and PostgreSQL stores no NUL. */
    private static boolean unwritable(int codePoint) {
        return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
    }

    private int quantity(JsonValue value) {
        String expected = "expected a whole number from 1 to " + MAX_QUANTITY;
        if (value == null || value == JsonValue.NULL) {
            wrong.add(new BadField("quantity", "is missing; " + expected));
        } else if (!(value instanceof JsonNumber number)) {
            wrong.add(new BadField("quantity", expected + ", got " + kind(value)));
        } else if (!inRange(number.bigDecimalValue())) {
            wrong.add(new BadField("quantity", expected + ", got " + shortened(number.toString())));
        } else {
            return number.bigDecimalValue().intValueExact();
        }
        return 0;
    }

    /** Checks the range first: a number like 1e999999999 must never be written out. */
    private static boolean inRange(BigDecimal number) {
        return number.compareTo(BigDecimal.ONE) >= 0
                && number.compareTo(BigDecimal.valueOf(MAX_QUANTITY)) <= 0
                && number.stripTrailingZeros().scale() <= 0;
    }

    private void unknown(String field) {
        wrong.add(new BadField(shortened(field), "is unknown; an order has " + String.join(", ", FIELDS)));
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, text.offsetByCodePoints(0, 20)) + "…";
    }

    private static String kind(JsonValue value) {
        return switch (value.getValueType()) {
            case STRING -> "a text";
            case NUMBER -> "a number";
            case OBJECT -> "an object";
            case ARRAY -> "a list";
            case TRUE, FALSE -> "a boolean";
            case NULL -> "null";
        };
    }

    private static String text(byte[] body) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            throw malformed("the body is not UTF-8", e);
        }
    }

    private static JsonObject object(String text) {
        try {
            walk(text);
            try (var reader = READERS.createReader(new StringReader(text))) {
                if (reader.readValue() instanceof JsonObject object) {
                    return object;
                }
            }
        } catch (JsonException | IllegalStateException | NoSuchElementException e) {
            throw malformed("the body is not one JSON object without repeated names", e);
        }
        throw malformed("the body is JSON, but not an object", null);
    }

    /** Checks what the reader does not: it stops before the end, and recurses into deep nesting. */
    private static void walk(String text) {
        int depth = 0;
        try (JsonParser parser = Json.createParser(new StringReader(text))) {
            while (parser.hasNext()) {
                depth += switch (parser.next()) {
                    case START_OBJECT, START_ARRAY -> 1;
                    case END_OBJECT, END_ARRAY -> -1;
                    default -> 0;
                };
                if (depth > MAX_DEPTH) {
                    throw malformed("the body is nested deeper than " + MAX_DEPTH, null);
                }
            }
        }
    }

    private static BadOrderException malformed(String why, Exception cause) {
        List<BadField> all = FIELDS.stream()
                .map(field -> new BadField(field, "can't be read: " + why))
                .toList();
        return new BadOrderException("Can't read the order: " + why + "; nothing was ordered.", all, cause);
    }

    /** One field and what is wrong with it. */
    record BadField(String field, String problem) {}
}
