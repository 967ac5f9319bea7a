package io.outboxed.internal.schema;

import io.outboxed.internal.schema.SchemaCheck.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares the indexes of a table with its schema file. */
record IndexCheck(SchemaSql repairs, Catalog catalog) {

    void compare(DdlScript.Table table, List<Finding> findings) throws SQLException {
        List<Catalog.Index> actual = catalog.indexes(table.name());
        for (Catalog.Index index : actual) {
            // one on fewer columns than the key would reject different rows; a replay has the id of its event
            boolean harmless = index.columns().containsAll(table.primaryKey());
            if (index.unique() && !harmless) {
                findings.add(new Finding(
                        "index " + repairs.shown(index.name()) + " on " + table.name() + " ("
                                + String.join(", ", index.columns()) + ") is unique: it would reject messages",
                        repairs.dropIndex(table.name(), repairs.quoted(index.name()))));
            }
        }
        for (DdlScript.Index index : table.indexes()) {
            if (actual.stream().noneMatch(each -> serves(each, index))) {
                findings.add(missing(index, actual));
            }
        }
    }

    private static boolean serves(Catalog.Index found, DdlScript.Index wanted) {
        String condition = wanted.condition() == null ? "" : wanted.condition();
        String actual = found.condition() == null ? "" : found.condition().replaceAll("[()]", "");
        return found.usable() && found.columns().equals(wanted.columns()) && condition.equals(actual);
    }

    private Finding missing(DdlScript.Index wanted, List<Catalog.Index> actual) throws SQLException {
        String problem = "index on " + wanted.table() + " (" + String.join(", ", wanted.columns()) + ")"
                + (wanted.condition() == null ? "" : " where " + wanted.condition());
        List<String> ddl = new ArrayList<>();
        if (actual.stream().anyMatch(index -> catalog.isSame(index.name(), wanted.name()))) {
            ddl.addAll(repairs.dropIndex(wanted.table(), wanted.name()));
            ddl.add(wanted.ddl());
            return new Finding(problem + " differs or is unusable", ddl);
        }
        Optional<Catalog.TakenName> taken = catalog.takenName(wanted);
        taken.ifPresent(name -> ddl.add(SchemaSql.rename(name)));
        ddl.add(wanted.ddl());
        return new Finding(
                problem + " is missing"
                        + taken.map(name -> ", and its name " + belongs(wanted, name))
                                .orElse(""),
                ddl);
    }

    /** The same for a table that is missing: otherwise it would be created without those indexes. */
    Finding renamed(DdlScript.Table table, Finding missing) throws SQLException {
        List<String> ddl = new ArrayList<>();
        StringBuilder problem = new StringBuilder(missing.problem());
        for (DdlScript.Index index : table.indexes()) {
            catalog.takenName(index).ifPresent(name -> {
                ddl.add(SchemaSql.rename(name));
                problem.append(", and the name ").append(belongs(index, name));
            });
        }
        ddl.addAll(missing.ddl());
        return new Finding(problem.toString(), ddl);
    }

    private static String belongs(DdlScript.Index index, Catalog.TakenName taken) {
        return index.name() + " belongs to an index of " + taken.table();
    }
}
