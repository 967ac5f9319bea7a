package io.outboxed.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Columns as wide as their widest cell, two spaces between them. */
public final class TextTable {
    private static final int WIDEST = 100;

    private final int widest;
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... titles) {
        this(WIDEST, titles);
    }

    private TextTable(int widest, String... titles) {
        this.widest = widest;
        rows.add(List.of(titles));
    }

    /** One that cuts nothing: its cells are arguments of other commands. */
    public static TextTable whole(String... titles) {
        return new TextTable(Integer.MAX_VALUE, titles);
    }

    /** @param cells null becomes a dash */
    public TextTable add(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell == null || cell.toString().isEmpty() ? "-" : oneLine(cell.toString()));
        }
        rows.add(row);
        return this;
    }

    /** What a database contains must not control the terminal. */
    public static String harmless(String text) {
        return text == null ? "-" : text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\n\t]]", " ");
    }

    /** Further lines of it can't be taken for ours. */
    public static String indented(String text) {
        return harmless(text).replace("\n", "\n    ");
    }

    /** Of whatever length. */
    public static String inLine(String text) {
        return harmless(text).replaceAll("[\n\t]", " ");
    }

    private String oneLine(String text) {
        String plain = harmless(text).replaceAll("\\s+", " ");
        return plain.length() <= widest ? plain : plain.substring(0, widest - 1) + "…";
    }

    public void print(PrintWriter out) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
