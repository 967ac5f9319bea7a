package io.outboxed.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links between the documents lead somewhere, and each page is in the index. */
class LinksTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern LINK = Pattern.compile("]\\(((?!\\w+:)[^)\\s#]*)(?:#([^)\\s]+))?\\)");

    @Test
    void each_link_leads_to_a_file_and_a_heading_that_exist() {
        List<String> broken = new ArrayList<>();
        AtomicInteger links = new AtomicInteger();
        for (Path page : pages()) {
            LINK.matcher(text(page)).results().forEach(link -> {
                links.incrementAndGet();
                Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
                if (!Files.exists(target)
                        || link.group(2) != null && !headings(target).contains(link.group(2))) {
                    broken.add(page + ": " + link.group());
                }
            });
        }

        assertThat(broken).isEmpty();
        assertThat(links).hasValueGreaterThan(300);
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs", "docs/adr"})
    void each_page_is_in_the_index(String directory) throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve(directory))) {
            String index = text(ROOT.resolve(directory).resolve("README.md"));
            assertThat(docs.map(page -> page.getFileName().toString())
                            .filter(name -> name.endsWith(".md") && !name.equals("README.md")))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(index).contains("](" + name + ")"));
        }
    }

    private static List<Path> pages() {
        return Stream.of(files(ROOT, 1), files(ROOT.resolve("docs"), 3), files(ROOT.resolve("server-config"), 2))
                .flatMap(List::stream)
                .filter(file -> file.toString().endsWith(".md"))
                .toList();
    }

    private static List<Path> files(Path directory, int depth) {
        try (Stream<Path> files = Files.walk(directory, depth)) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> headings(Path page) {
        return HEADING.matcher(text(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    /** Without code, which may have signs of Markdown. */
    private static String text(Path page) {
        try {
            return BLOCK.matcher(Files.readString(page)).replaceAll("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
