package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The page has exactly the commands, options and exit codes that exist. */
class CommandLinePageTest {
    private static final Path PAGE = Path.of("..", "docs", "command-line.md");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Set<String> OF_EVERY_COMMAND = Set.of("--help", "--version");

    private final CommandLine program = Main.commandLine(new ScriptedTerminal());

    @Test
    void the_page_has_exactly_the_commands_that_exist() throws IOException {
        assertThat(rows("| command |").stream().map(row -> codes(row.get(0)).get(0)))
                .containsExactlyInAnyOrderElementsOf(options().keySet());
    }

    @Test
    void the_page_has_exactly_the_options_that_exist() throws IOException {
        Map<String, Set<String>> documented = new TreeMap<>();
        options().keySet().forEach(command -> documented.put(command, new TreeSet<>()));
        for (List<String> row : rows("| option |")) {
            for (String command : commands(row.get(1))) {
                assertThat(documented).as(row.toString()).containsKey(command);
                documented.get(command).addAll(codes(row.get(0)));
            }
        }

        assertThat(documented).isEqualTo(options());
    }

    @Test
    void the_page_has_exactly_the_exit_codes_that_exist() throws IOException {
        assertThat(rows("| exit code |").stream().map(row -> row.get(0) + ":" + row.get(1)))
                .containsExactlyElementsOf(program.getCommandSpec().usageMessage().exitCodeList().entrySet().stream()
                        .map(each -> each.getKey().strip() + ":" + each.getValue())
                        .toList());
    }

    private List<String> commands(String cell) {
        return cell.startsWith("all that need a database")
                ? options().keySet().stream()
                        .filter(command -> !Commands.WITHOUT_DATABASE.contains(command))
                        .toList()
                : codes(cell);
    }

    /** By command. */
    private Map<String, Set<String>> options() {
        Map<String, Set<String>> options = new TreeMap<>();
        Commands.of(program)
                .forEach((name, command) -> options.put(
                        name,
                        command.getCommandSpec().options().stream()
                                .map(OptionSpec::longestName)
                                .filter(option -> !OF_EVERY_COMMAND.contains(option))
                                .collect(Collectors.toCollection(TreeSet::new))));
        return options;
    }

    private static List<String> codes(String cell) {
        return CODE.matcher(cell)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    /** The cells of the rows of the table with this heading. */
    private static List<List<String>> rows(String heading) throws IOException {
        String page = Files.readString(PAGE);
        String table = page.substring(page.indexOf("\n" + heading) + 1).split("\n\n")[0];
        List<List<String>> rows = new ArrayList<>();
        table.lines()
                .skip(2)
                .forEach(line ->
                        rows.add(List.of(line.substring(2, line.length() - 2).split(" \\| "))));
        return rows;
    }
}
