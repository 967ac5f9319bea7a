package io.outboxed.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ClaimsPageTest {
    private static final Path TESTS = Path.of("src/test/java/io/outboxed/internal/store");
    private static final Pattern NAMED = Pattern.compile("`((?:\\w+Claim|LaneLocks|SharedShards|LaneLockProbe"
            + "|LockSessionStart|LockSessionLimits|LostLockSession|ClaimRows)Contract\\.[a-z0-9_]+)`");
    private static final Pattern TEST =
            Pattern.compile("@(?:Parameterized)?Test\\s+(?:@ValueSource\\([^)]*\\)\\s+)?default void (\\w+)\\(");

    @Test
    void each_test_of_a_claim_is_on_the_page_and_exists() throws IOException {
        List<String> tests = new ArrayList<>();
        for (String contract : List.of(
                "RowLockClaimContract",
                "PostgreSqlClaimContract",
                "MySqlClaimContract",
                "LaneLocksContract",
                "SharedShardsContract",
                "LaneLockProbeContract",
                "LockSessionStartContract",
                "LockSessionLimitsContract",
                "LostLockSessionContract",
                "ClaimRowsContract")) {
            TEST.matcher(Files.readString(TESTS.resolve(contract + ".java")))
                    .results()
                    .forEach(test -> tests.add(contract + "." + test.group(1)));
        }

        assertThat(NAMED.matcher(Files.readString(Path.of("../docs/claims.md")))
                        .results()
                        .map(test -> test.group(1)))
                .hasSizeGreaterThan(10)
                .containsExactlyInAnyOrderElementsOf(tests);
    }
}
