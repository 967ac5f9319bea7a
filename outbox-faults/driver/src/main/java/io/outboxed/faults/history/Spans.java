package io.outboxed.faults.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A set of moments: ordered spans that do not touch. */
public record Spans(List<Span> spans) {

    public record Span(long from, long to) {
        public long length() {
            return to - from;
        }
    }

    public static Spans none() {
        return new Spans(List.of());
    }

    /** Accepts spans in any order, overlapping or not. */
    public static Spans of(List<Span> any) {
        List<Span> sorted = any.stream()
                .filter(span -> span.from < span.to)
                .sorted(Comparator.comparingLong(Span::from))
                .toList();
        List<Span> merged = new ArrayList<>();
        for (Span span : sorted) {
            Span last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
            if (last != null && span.from <= last.to) {
                merged.set(merged.size() - 1, new Span(last.from, Math.max(last.to, span.to)));
            } else {
                merged.add(span);
            }
        }
        return new Spans(List.copyOf(merged));
    }

    public Spans or(Spans other) {
        List<Span> both = new ArrayList<>(spans);
        both.addAll(other.spans);
        return of(both);
    }

    public Spans and(Spans other) {
        List<Span> both = new ArrayList<>();
        if (spans.isEmpty() || other.spans.isEmpty()) {
            return none();
        }
        int i = firstAfter(other.spans.get(0).from);
        int j = other.firstAfter(spans.get(0).from);
        while (i < spans.size() && j < other.spans.size()) {
            Span a = spans.get(i);
            Span b = other.spans.get(j);
            both.add(new Span(Math.max(a.from, b.from), Math.min(a.to, b.to)));
            if (a.to < b.to) {
                i++;
            } else {
                j++;
            }
        }
        return of(both);
    }

    public Spans without(Spans other) {
        return spans.isEmpty() ? this : and(other.complement(spans.get(0).from, spans.get(spans.size() - 1).to));
    }

    /** The gaps between the two moments. */
    public Spans complement(long from, long to) {
        List<Span> missing = new ArrayList<>();
        long begin = from;
        for (int i = firstAfter(from); i < spans.size() && spans.get(i).from < to; i++) {
            missing.add(new Span(begin, Math.min(spans.get(i).from, to)));
            begin = Math.max(begin, spans.get(i).to);
        }
        missing.add(new Span(begin, to));
        return of(missing);
    }

    /** The index of the first span that ends later: there may be many before it. */
    private int firstAfter(long moment) {
        int low = 0;
        int high = spans.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (spans.get(middle).to > moment) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** The total length. */
    public long length() {
        return spans.stream().mapToLong(Span::length).sum();
    }

    /**
     * Without these moments: a span that contains one becomes two.
     *
     * @param moments ascending
     */
    public List<Span> cutAt(List<Long> moments) {
        List<Span> pieces = new ArrayList<>();
        int next = 0;
        for (Span span : spans) {
            long begin = span.from;
            while (next < moments.size() && moments.get(next) < span.from) {
                next++;
            }
            while (next < moments.size() && moments.get(next) < span.to) {
                pieces.add(new Span(begin, moments.get(next)));
                begin = moments.get(next++);
            }
            pieces.add(new Span(begin, span.to));
        }
        return pieces;
    }
}
