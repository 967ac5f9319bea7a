package io.outboxed.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig.Roles;
import io.outboxed.rest.access.AdminOperation;
import io.outboxed.rest.problem.ProblemType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page lists exactly the operations with their roles, and the problem types, that exist. */
class AdminApiPageTest {
    private static final Path PAGE = Path.of("..", "docs", "admin-api.md");

    @Test
    void each_operation_is_listed_with_its_role() throws IOException {
        assertThat(rows("`(GET|POST) "))
                .map(row -> row.replaceFirst("(\\|[^|]*\\|[^|]*\\|).*", "$1"))
                .containsExactlyElementsOf(Arrays.stream(AdminOperation.values())
                        .map(each -> "| `" + each.method() + " " + each.path() + "` | `"
                                + each.role().in(Roles.DEFAULTS) + "` |")
                        .toList());
    }

    @Test
    void each_problem_type_is_listed_with_its_status() throws IOException {
        assertThat(rows("`urn:"))
                .map(row -> row.replaceFirst("(\\|[^|]*\\|[^|]*\\|).*", "$1"))
                .containsExactlyElementsOf(Arrays.stream(ProblemType.values())
                        .map(each -> "| `" + each.uri() + "` | " + each.status() + " |")
                        .toList());
    }

    private static List<String> rows(String beginning) throws IOException {
        return Files.readAllLines(PAGE).stream()
                .filter(line -> line.matches("\\| " + beginning + ".*"))
                .toList();
    }
}
