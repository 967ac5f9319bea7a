package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A call of curl in docs/admin-api.md, with what a shell makes of its quotes and of the variables of the page.
 *
 * @param headers names and values in turn
 * @param body null for none
 */
record CurlExample(String user, String method, String address, List<String> headers, String body) {
    private static final Path PAGE = Path.of("..", "docs", "admin-api.md");
    private static final Pattern BLOCK = Pattern.compile("\n```sh\n(.*?)\n```\n", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");
    private static final Pattern PART = Pattern.compile("'([^']*)'|\"([^\"]*)\"|([^'\"]+)");

    private static final String PASSWORD = "demo:<the password>";
    /** As the page defines them; the others stay as they are. */
    private static final Map<String, String> VARIABLES = Map.of(
            "me",
            "'" + PASSWORD + "'",
            "api",
            "http://localhost:8080/outbox/outbox/admin/v1",
            "json",
            "'Content-Type: application/json'");

    /** In the order of the page. */
    static List<CurlExample> ofThePage() throws IOException {
        List<CurlExample> examples = new ArrayList<>();
        BLOCK.matcher(Files.readString(PAGE))
                .results()
                .forEach(block -> block.group(1)
                        .replaceAll("\\\\\n\\s*", "")
                        .lines()
                        .map(line -> line.replaceFirst("\\s+#.*", ""))
                        .forEach(line -> read(line, examples)));
        return examples;
    }

    private static void read(String line, List<CurlExample> examples) {
        if (line.startsWith("curl ")) {
            examples.add(of(words(line)));
        } else {
            String[] definition = line.split("=", 2);
            assertThat(VARIABLES).as(line).containsEntry(definition[0], definition[1]);
        }
    }

    private static CurlExample of(List<String> words) {
        String user = null;
        String address = null;
        String body = null;
        List<String> headers = new ArrayList<>();
        Iterator<String> rest = words.iterator();
        rest.next();
        while (rest.hasNext()) {
            String word = rest.next();
            switch (word) {
                case "-i" -> {}
                case "-u" -> user = rest.next();
                case "-d" -> body = rest.next();
                case "-H" -> headers.addAll(List.of(rest.next().split(": ", 2)));
                default -> {
                    assertThat(address)
                            .as("an option that this test does not know: %s", words)
                            .isNull();
                    address = word;
                }
            }
        }
        return new CurlExample(user, body == null ? "GET" : "POST", address, headers, body);
    }

    private static List<String> words(String line) {
        return WORD.matcher(line).results().map(word -> unquoted(word.group())).toList();
    }

    private static String unquoted(String word) {
        StringBuilder text = new StringBuilder();
        PART.matcher(word)
                .results()
                .forEach(part -> text.append(
                        part.group(1) == null
                                ? expanded(part.group(2) == null ? part.group(3) : part.group(2))
                                : part.group(1)));
        return text.toString();
    }

    private static String expanded(String text) {
        return Pattern.compile("\\$(\\w+)")
                .matcher(text)
                .replaceAll(variable -> Matcher.quoteReplacement(
                        VARIABLES.containsKey(variable.group(1))
                                ? unquoted(VARIABLES.get(variable.group(1)))
                                : variable.group()));
    }

    boolean isOfTheDemo() {
        return PASSWORD.equals(user);
    }

    /** Below the API's own address. */
    String path() {
        String root = isOfTheDemo() ? unquoted(VARIABLES.get("api")) : "https://shop.example/shop/outbox/admin/v1";
        assertThat(address).startsWith(root + "/");
        return address.substring(root.length() + 1);
    }

    CurlExample with(String what, String value) {
        return new CurlExample(
                user,
                method,
                address.replace(what, value),
                headers.stream().map(header -> header.replace(what, value)).toList(),
                body == null ? null : body.replace(what, value));
    }

    CurlExample withHeader(String name, String value) {
        List<String> all = new ArrayList<>(headers);
        all.set(all.indexOf(name) + 1, value);
        return new CurlExample(user, method, address, all, body);
    }

    AdminClient.Answer sendAs(AdminClient client) {
        return client.send(method, path(), body, headers.toArray(String[]::new));
    }

    @Override
    public String toString() {
        return Stream.of(method, address, headers, body)
                .map(String::valueOf)
                .reduce("", (all, next) -> all + " " + next);
    }
}
