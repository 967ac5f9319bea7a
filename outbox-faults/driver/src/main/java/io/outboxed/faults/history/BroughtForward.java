package io.outboxed.faults.history;

import io.outboxed.faults.history.Facts.Event;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which attempts before their time bulk retries explain. One makes each delivery due once, of those that wait and whose
 * events were stored before it. It explains no more attempts than it has counted deliveries.
 */
final class BroughtForward {
    private final List<Retry> retries;

    /** @param operations in the order of their starts */
    BroughtForward(List<BulkOperation> operations) {
        this.retries =
                BulkOperation.Kind.RETRY.of(operations).stream().map(Retry::new).toList();
    }

    /** @param failed the call of this delivery before */
    boolean explains(Event event, Call failed, Call call) {
        return retries.stream().anyMatch(retry -> retry.explains(event, failed, call));
    }

    /** The delivery counts its attempts from one: it was a dead letter, and a replay has made another one of it. */
    void startsAgain(Call call) {
        retries.forEach(retry -> retry.explained.remove(delivery(call)));
    }

    private static String delivery(Call call) {
        return call.handler() + " " + call.id();
    }

    private static final class Retry {
        private final BulkOperation operation;
        private final Set<String> explained = new HashSet<>();
        private long left;

        Retry(BulkOperation operation) {
            this.operation = operation;
            this.left = operation.changed();
        }

        boolean explains(Event event, Call failed, Call call) {
            boolean possible = left > 0
                    && event.writtenAt() < operation.startedAt()
                    && operation.startedAt() < call.start()
                    && failed.end() < operation.endedAt();
            if (!possible || !explained.add(delivery(call))) {
                return false;
            }
            left--;
            return true;
        }
    }
}
