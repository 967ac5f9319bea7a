package org.example.lists;

import io.outboxed.EventBatch;
import io.outboxed.Outboxed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import java.util.ArrayList;
import java.util.List;

@ApplicationScoped
public class Lines {
    private final List<List<String>> calls = new ArrayList<>();

    @Outboxed
    @Transactional
    public List<LineAdded> add(String order, List<String> items) {
        return items.stream().map(item -> new LineAdded(order, item)).toList();
    }

    void project(@Observes EventBatch<LineAdded> batch) {
        List<String> items = batch.events().stream().map(LineAdded::item).toList();
        calls.add(items);
        if (items.contains("poison")) {
            throw new IllegalStateException("poison");
        }
    }

    List<List<String>> calls() {
        return calls;
    }

    void forget() {
        calls.clear();
    }
}
