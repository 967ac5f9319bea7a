package io.outboxed.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws horizontal bars of medians, with whiskers from the lowest to the highest run, as a separate SVG file. */
final class BarChart {
    private static final int WIDTH = 860;
    private static final int LEFT = 330;
    private static final int RIGHT = 110;
    private static final int TOP = 52;
    private static final int ROW = 24;
    private static final int BAR = 14;
    private static final int GAP = 12;
    private static final int BOTTOM = 34;
    private static final String OTHER = "#8a94a3";
    private static final Map<String, String> COLOURS =
            Map.of("outboxed", "#0b6bcb", "outboxed-10-events", "#5aa2e6", "gruelbox", "#d97706", "before", "#7c3aed");

    private final String title;
    private final String unit;
    private final boolean logarithmic;
    private final List<Bar> bars;

    /** @param group bars of one group are adjacent, with a gap between groups */
    record Bar(String group, String label, String system, Sample sample) {}

    BarChart(String title, String unit, boolean logarithmic, List<Bar> bars) {
        this.title = title;
        this.unit = unit;
        this.logarithmic = logarithmic;
        this.bars = bars;
    }

    String svg() {
        StringBuilder body = new StringBuilder();
        int y = TOP;
        String group = null;
        for (Bar bar : bars) {
            y += group != null && !group.equals(bar.group()) ? GAP : 0;
            group = bar.group();
            body.append(bar(bar, y));
            y += ROW;
        }
        int height = y + BOTTOM;
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + WIDTH + "\" height=\"" + height
                + "\" viewBox=\"0 0 " + WIDTH + " " + height + "\" font-family=\"system-ui, sans-serif\""
                + " font-size=\"13\" role=\"img\" aria-label=\"" + escaped(title) + "\">\n"
                + "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
                + text(16, 24, "start", "#111827", 16, title)
                + text(16, 42, "start", "#4b5563", 12, unit + "; bar = median, whisker = least to greatest run")
                + axis(y)
                + body
                + "</svg>\n";
    }

    private String bar(Bar bar, int y) {
        double end = x(bar.sample().median());
        int middle = y + BAR / 2;
        return text(LEFT - 8, middle + 5, "end", "#111827", 13, bar.label())
                + String.format(
                        Locale.ROOT,
                        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                        LEFT,
                        y,
                        Math.max(1, end - LEFT),
                        BAR,
                        COLOURS.getOrDefault(bar.system(), OTHER))
                + whisker(x(bar.sample().min()), x(bar.sample().max()), middle)
                + text((int) Math.max(end, x(bar.sample().max())) + 8, middle + 5, "start", "#111827", 12, label(bar));
    }

    private static String label(Bar bar) {
        return Json.number(bar.sample().median());
    }

    private static String whisker(double from, double to, int y) {
        return String.format(
                Locale.ROOT,
                "<path d=\"M%.1f %d H%.1f M%.1f %d V%d M%.1f %d V%d\" stroke=\"#111827\" fill=\"none\"/>%n",
                from,
                y,
                to,
                from,
                y - 4,
                y + 4,
                to,
                y - 4,
                y + 4);
    }

    private String axis(int bottom) {
        StringBuilder axis = new StringBuilder();
        for (double tick : ticks()) {
            double x = x(tick);
            axis.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#e5e7eb\"/>%n",
                    x,
                    TOP - 4,
                    x,
                    bottom));
            axis.append(text((int) x, bottom + 16, "middle", "#4b5563", 12, shortNumber(tick)));
        }
        return axis.toString();
    }

    private double[] ticks() {
        if (logarithmic) {
            int from = (int) Math.round(Math.log10(least()));
            int to = (int) Math.round(Math.log10(greatest()));
            double[] ticks = new double[to - from + 1];
            Arrays.setAll(ticks, i -> Math.pow(10, from + i));
            return ticks;
        }
        double[] ticks = new double[5];
        Arrays.setAll(ticks, i -> greatest() * i / 4);
        return ticks;
    }

    private double x(double value) {
        double share = logarithmic
                ? (Math.log10(Math.max(value, least())) - Math.log10(least()))
                        / (Math.log10(greatest()) - Math.log10(least()))
                : value / greatest();
        return LEFT + share * (WIDTH - LEFT - RIGHT);
    }

    /** The end of the axis: a round number not below any run. */
    private double greatest() {
        double greatest =
                bars.stream().mapToDouble(bar -> bar.sample().max()).max().orElse(1);
        double decade = Math.pow(10, Math.floor(Math.log10(Math.max(greatest, 1e-9))));
        if (logarithmic) {
            return greatest > decade ? decade * 10 : decade;
        }
        for (double step : new double[] {1, 1.2, 1.6, 2, 2.4, 3.2, 4, 5, 6, 8, 10}) {
            if (decade * step >= greatest) {
                return decade * step;
            }
        }
        return decade * 10;
    }

    private double least() {
        double least =
                bars.stream().mapToDouble(bar -> bar.sample().min()).min().orElse(0.1);
        return Math.pow(10, Math.floor(Math.log10(Math.max(least, 1e-3))));
    }

    private static String shortNumber(double value) {
        if (value >= 1e6) {
            return trimmed(value / 1e6) + " M";
        }
        return value >= 1e4 ? trimmed(value / 1e3) + " k" : trimmed(value);
    }

    private static String trimmed(double value) {
        return String.format(Locale.ROOT, "%.4f", value).replaceAll("\\.?0+$", "");
    }

    private static String text(int x, int y, String anchor, String colour, int size, String text) {
        return String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\" font-size=\"%d\">%s</text>%n",
                x,
                y,
                anchor,
                colour,
                size,
                escaped(text));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
