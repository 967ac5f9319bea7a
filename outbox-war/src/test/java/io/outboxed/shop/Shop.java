package io.outboxed.shop;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The shop as its customers see it, over HTTP. */
final class Shop {

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final URI root;

    private Shop(URI root) {
        this.root = root;
    }

    static Shop at(int port) {
        return new Shop(URI.create("http://127.0.0.1:" + port + "/outbox/"));
    }

    record Answer(int status, Optional<String> mediaType, Optional<String> location, String body) {

        static Answer of(HttpResponse<String> response) {
            return new Answer(
                    response.statusCode(),
                    response.headers().firstValue("Content-Type"),
                    response.headers().firstValue("Location"),
                    response.body());
        }

        JsonObject json() {
            return read(JsonReader::readObject);
        }

        JsonArray list() {
            return read(JsonReader::readArray);
        }

        private <T> T read(Function<JsonReader, T> kind) {
            try (JsonReader reader = Json.createReader(new StringReader(body))) {
                return kind.apply(reader);
            } catch (JsonException notThat) {
                throw new AssertionError("expected JSON, got " + this, notThat);
            }
        }

        /** The fields that a problem names. */
        List<String> wrongFields() {
            JsonArray errors = json().getJsonArray("errors");
            return errors == null
                    ? List.of()
                    : errors.getValuesAs(JsonObject.class).stream()
                            .map(error -> error.getString("field"))
                            .toList();
        }
    }

    Answer get(String path) {
        return send(request(path).GET());
    }

    Answer post(String path, String body) {
        return post(path, "application/json", BodyPublishers.ofString(body));
    }

    Answer post(String path, String mediaType, HttpRequest.BodyPublisher body) {
        return send(request(path).header("Content-Type", mediaType).POST(body));
    }

    Answer send(HttpRequest.Builder request) {
        try {
            return Answer.of(http.send(request.build(), BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new NoAnswerException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Relative to {@code /outbox/}. */
    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(root.resolve(path)).timeout(Duration.ofSeconds(60));
    }

    HttpResponse<String> page(String path) throws IOException, InterruptedException {
        return http.send(request(path).build(), BodyHandlers.ofString());
    }

    Answer tryToOrder(String item) {
        return post("shop/orders", order("ada", item, 2));
    }

    static String order(String customer, String item, int quantity) {
        return Json.createObjectBuilder()
                .add("customer", customer)
                .add("item", item)
                .add("quantity", quantity)
                .build()
                .toString();
    }

    /** Places an order and returns its id. */
    long order(String item) {
        Answer answer = tryToOrder(item);
        if (answer.status() != 201) {
            throw new AssertionError("expected 201, got " + answer);
        }
        return answer.json().getJsonNumber("id").longValueExact();
    }

    String status(long order) {
        return get("shop/orders/" + order).json().getString("status");
    }

    /** What the warehouse did for an order, oldest first. */
    List<String> parcels(long order) {
        return oldestFirst("shop/shipments?order=" + order, "direction");
    }

    /** The subjects of the mails about an order, oldest first. */
    List<String> mails(long order) {
        return oldestFirst("shop/mails?order=" + order, "subject");
    }

    private List<String> oldestFirst(String path, String field) {
        List<String> rows = new ArrayList<>();
        get(path).list().getValuesAs(JsonObject.class).forEach(row -> rows.add(0, row.getString(field)));
        return rows;
    }

    /** The dead letters of an order. */
    List<JsonObject> deadLetters(long order) {
        return get("shop/dead-letters?limit=200").list().getValuesAs(JsonObject.class).stream()
                .filter(dead -> dead.getString("aggregate").equals("order/" + order))
                .toList();
    }

    int count(String what) {
        Answer overview = get("shop/overview");
        if (overview.status() != 200) {
            throw new AssertionError("expected 200, got " + overview);
        }
        return overview.json().getJsonObject("counts").getInt(what);
    }

    /** Nothing is left to deliver. */
    void awaitQuiet(int seconds) {
        Await.until("the outbox is empty", seconds, () -> count("outbox") == 0, () -> count("outbox") + " messages");
    }

    /** An application answers, and not the server's own 404. */
    boolean deployed() {
        try {
            return get("shop/orders/1")
                    .mediaType()
                    .filter(type -> type.contains("json"))
                    .isPresent();
        } catch (NoAnswerException e) {
            return false;
        }
    }

    /** The server could not be reached or hung up. */
    static final class NoAnswerException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoAnswerException(IOException cause) {
            super(cause);
        }
    }
}
