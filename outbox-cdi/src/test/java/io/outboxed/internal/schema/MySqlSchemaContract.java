package io.outboxed.internal.schema;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What only MySQL and MariaDB can have different. */
public interface MySqlSchemaContract extends SchemaDifferencesContract {

    /** Hides an index from the optimizer. */
    String hideIndex(String table, String index);

    @Test
    default void names_that_are_compared_without_case_are_found_and_repaired() throws Exception {
        for (String order : List.of("utf8mb4_general_ci", "latin1_bin")) {
            String set = " CHARACTER SET " + order.split("_")[0] + " COLLATE " + order;
            eachColumn((table, column) -> column.isText()
                    ? new Change(
                            MutantTables.inLine(column, " (NOT NULL|NULL)", set + " $1"),
                            MutantTables.name(table, column) + " uses the collation " + order
                                    + ", which may treat different names as equal")
                    : null);
        }
    }

    @Test
    default void a_table_created_with_the_servers_character_set_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        DdlScript.Table table = tables().get(0);
        remake(
                table,
                text -> text.replace(
                        " DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", " DEFAULT CHARACTER SET latin1"),
                Set.of());
        jdbc().run("ALTER TABLE " + table.name() + " DROP COLUMN headers");
        findsAndRepairsShape(
                schema,
                Stream.concat(
                                Stream.of("column " + table.name() + ".headers is missing"),
                                table.columns().stream()
                                        .filter(DdlScript.Column::isText)
                                        .filter(column -> !column.name().equals("headers"))
                                        .map(column -> MutantTables.name(table, column)
                                                + " uses the collation latin1_swedish_ci, which may treat different names as"
                                                + " equal"))
                        .toArray(String[]::new));
    }

    /** MariaDB adds the clause itself to a column that is changed without a default. */
    @Test
    default void a_time_that_each_update_changes_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        jdbc().run("ALTER TABLE mutant_message MODIFY created_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)"
                + " ON UPDATE CURRENT_TIMESTAMP(6)");
        findsAndRepairs(
                schema,
                "column mutant_message.created_at changes with every update of its row (ON UPDATE), expected to keep its"
                        + " value");
    }

    @Test
    default void an_engine_without_transactions_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        // MyISAM allows no longer keys
        for (String table : List.of("mutant_message", "mutant_node", "mutant_shard", "mutant_meta")) {
            jdbc().run("ALTER TABLE " + table + " ENGINE=MyISAM");
            findsAndRepairs(
                    schema, "table " + table + " uses the engine MyISAM, which has no transactions; expected InnoDB");
        }
    }

    /** On PostgreSQL, this partition is a table of the schema file. */
    @Test
    default void a_history_without_a_partition_for_everything_else_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        jdbc().run("ALTER TABLE mutant_history REORGANIZE PARTITION pmax INTO (PARTITION p20250101 VALUES LESS THAN"
                + " (1000), PARTITION pmax VALUES LESS THAN MAXVALUE)");
        finds(schema);
        jdbc().run("ALTER TABLE mutant_history DROP PARTITION pmax");
        findsAndRepairs(
                schema,
                "table mutant_history has no partition for everything after the last one: later rows would be refused");
        jdbc().run("ALTER TABLE mutant_history PARTITION BY RANGE COLUMNS (processed_at)"
                + " (PARTITION p20250101 VALUES LESS THAN (1000))");
        findsAndRepairs(
                schema,
                "table mutant_history has no partition for everything after the last one: later rows would be refused");
        jdbc().run("ALTER TABLE mutant_history PARTITION BY RANGE COLUMNS (processed_at, id)"
                + " (PARTITION pmax VALUES LESS THAN (MAXVALUE, MAXVALUE))");
        finds(schema);
        jdbc().run("ALTER TABLE mutant_history REMOVE PARTITIONING");
        finds(schema);
    }

    @Test
    default void an_index_over_the_beginning_of_a_column_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        jdbc().run("DROP INDEX mutant_delivery_lane ON mutant_delivery");
        jdbc().run("CREATE INDEX mutant_delivery_lane ON mutant_delivery (lane, handler(10), seq)");
        findsAndRepairs(schema, "index on mutant_delivery (lane, handler_group, seq) differs or is unusable");
        jdbc().run("ALTER TABLE mutant_handler DROP PRIMARY KEY, ADD PRIMARY KEY (type(5), handler)");
        findsAndRepairs(
                schema, "primary key of mutant_handler is (the beginning of type, handler), expected (type, handler)");
    }

    @Test
    default void an_index_that_the_optimizer_may_not_use_is_found_and_repaired() throws Exception {
        Schema schema = fresh();
        jdbc().run(hideIndex("mutant_lane", "mutant_lane_resume"));
        findsAndRepairs(schema, "index on mutant_lane (shard, resume_at) differs or is unusable");
    }
}
