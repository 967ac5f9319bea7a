package io.outboxed.shop;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * The admin API as one user sees it.
 *
 * @param authorization the header, or null for somebody who has not logged in
 */
record AdminClient(String application, String authorization) {
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    record Answer(int status, String body, HttpResponse<String> response) {
        JsonObject json() {
            return Json.createReader(new StringReader(body)).readObject();
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse(null);
        }
    }

    static AdminClient anonymous(int port) {
        return new AdminClient("http://127.0.0.1:" + port + "/outbox/", null);
    }

    AdminClient withPassword(String user, String password) {
        byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return new AdminClient(application, "Basic " + Base64.getEncoder().encodeToString(credentials));
    }

    AdminClient withToken(String token) {
        return new AdminClient(application, "Bearer " + token);
    }

    Answer get(String path) {
        return send("GET", path, null);
    }

    Answer post(String path, String body, String... headers) {
        List<String> all = new ArrayList<>(List.of("Content-Type", "application/json"));
        all.addAll(Arrays.asList(headers));
        return send("POST", path, body, all.toArray(String[]::new));
    }

    /** @param path below the API's own one */
    Answer send(String method, String path, String body, String... headers) {
        return sendTo("outbox/admin/v1/" + path, method, body, headers);
    }

    /**
     * Announces a body and sends none.
     *
     * @param path below the API's own one
     * @return the status of the answer
     */
    int announce(String path, String length) {
        return AnnouncedBody.post(URI.create(application + "outbox/admin/v1/" + path), length, authorization);
    }

    /**
     * Gets what no URI can name.
     *
     * @param path below the API's own one
     * @return the status of the answer
     */
    int getIllegal(String path) {
        return RawRequest.get(URI.create(application + "outbox/admin/v1/"), path, authorization);
    }

    /** @param path below the application's */
    Answer sendTo(String path, String method, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(application + path))
                .timeout(Duration.ofSeconds(60))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        try {
            HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body(), response);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
