package io.outboxed.it.capture;

/** One kind of transaction. Every way publishes first and works afterwards, which is the hard order. */
public interface Teller {

    void book(Provider provider, String account, String key, Ending ending) throws Exception;
}
