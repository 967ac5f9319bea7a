package io.outboxed.faults.history;

import io.outboxed.faults.history.Facts.Effect;
import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import io.outboxed.faults.history.Findings.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that everything that was committed, and nothing else, had its effect; the transactional one once and in order,
 * and what an outside handler wrote with the inbox at most once.
 */
public final class EffectCheck {
    private final Facts facts;
    private final List<Call> calls;
    private final Set<String> died;
    private final Set<String> discardable;
    private final Findings findings;

    /**
     * @param died handler and id of events that were a dead letter at some time, and were replayed behind all others, or discarded
     * @param discardable those of dead letters that a bulk operation may have discarded
     */
    public EffectCheck(Facts facts, List<Call> calls, Set<String> died, Set<String> discardable, Findings findings) {
        this.facts = facts;
        this.calls = calls;
        this.died = died;
        this.discardable = discardable;
        this.findings = findings;
    }

    /** @param letters those left at the end, after all others were replayed */
    public void check(List<Letter> letters) {
        Set<String> dead = new HashSet<>();
        letters.forEach(letter -> dead.add(letter.bean() + " " + letter.id()));
        lossesAndPhantomEvents(dead);
        deadLetters(letters, dead);
        effects();
        receipts();
    }

    private void lossesAndPhantomEvents(Set<String> dead) {
        Set<String> done = new HashSet<>();
        for (Call call : calls) {
            if (!facts.committed().containsKey(call.id())) {
                findings.add(Kind.PHANTOM_EVENTS, call.toString());
            }
            if (call.succeeded() && !call.handler().equals("Ledger")) {
                done.add(call.handler() + " " + call.id());
            }
        }
        // the transactional handler's writes show what it has done
        facts.effects().forEach(effect -> done.add("Ledger " + effect.id()));
        long discarded = BulkOperation.Kind.DISCARD.of(facts.operations()).stream()
                .mapToLong(BulkOperation::changed)
                .sum();
        for (Event event : facts.committed().values()) {
            for (String handler : event.handlers()) {
                String key = handler + " " + event.id();
                if (!done.contains(key) && !dead.contains(key)) {
                    // no more than the operations say
                    boolean isDiscarded = discardable.contains(key) && discarded-- > 0;
                    findings.add(isDiscarded ? Kind.DISCARDED : Kind.LOST, handler + " " + event);
                }
            }
        }
    }

    private void deadLetters(List<Letter> letters, Set<String> dead) {
        for (Letter letter : letters) {
            Event event = facts.committed().get(letter.id());
            if (event == null || !event.isCondemned() || !letter.bean().equals("Courier")) {
                findings.add(Kind.DEAD_UNEXPECTED, letter + " of " + event);
            }
        }
        for (Event event : facts.committed().values()) {
            if (event.isCondemned() && !dead.contains("Courier " + event.id())) {
                findings.add(Kind.DEAD_MISSING, event.toString());
            }
        }
    }

    private void effects() {
        Set<String> ids = new HashSet<>();
        Map<String, Long> last = new HashMap<>();
        Set<String> replayed = new HashSet<>();
        for (Effect effect : facts.effects()) {
            if (!facts.committed().containsKey(effect.id())) {
                findings.add(Kind.PHANTOM_EVENTS, effect.toString());
            }
            if (!ids.add(effect.id())) {
                findings.add(Kind.DOUBLED, effect.toString());
            }
            if (died.contains("Ledger " + effect.id())) {
                replayed.add(effect.account() + " " + effect.number());
                continue;
            }
            Long before = last.put(effect.account(), effect.number());
            if (before != null && before >= effect.number()) {
                findings.add(Kind.REORDERED, effect + " was written after number " + before);
            }
        }
        olderStates(replayed);
    }

    private void receipts() {
        facts.receipts().forEach((id, times) -> {
            if (!facts.committed().containsKey(id)) {
                findings.add(Kind.PHANTOM_EVENTS, "receipt of " + id);
            }
            if (times > 1) {
                findings.add(Kind.RECEIPT_DOUBLED, "receipt of " + id + ": " + times + " times");
            }
        });
    }

    /** @param replayed accounts and numbers that may have been the last because they were replayed */
    private void olderStates(Set<String> replayed) {
        Map<String, Long> committed = new HashMap<>();
        for (Event event : facts.committed().values()) {
            if (!died.contains("Ledger " + event.id())) {
                committed.merge(event.account(), event.number(), Math::max);
            }
        }
        facts.seen().forEach((account, number) -> {
            long expected = committed.getOrDefault(account, 0L);
            if (number != expected && !replayed.contains(account + " " + number)) {
                findings.add(
                        Kind.OLDER_STATE,
                        "the ledger saw " + account + " last at " + number + ", committed is " + expected);
            }
        });
    }
}
