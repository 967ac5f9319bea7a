package org.example.nested;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Qualifier;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

public interface Rates {
    int rate();

    @Qualifier
    @Retention(RetentionPolicy.RUNTIME)
    @interface Fixed {}

    @ApplicationScoped
    class Current implements Rates {
        @Override
        public int rate() {
            return 1;
        }
    }

    @Fixed
    @ApplicationScoped
    class FixedRates implements Rates {
        @Override
        public int rate() {
            return 2;
        }
    }
}
