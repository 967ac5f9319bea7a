package io.outboxed.it.capture;

/** One kind of transaction. Each publishes first and changes data afterwards, which is the harder order. */
public interface Teller {

    void book(Provider provider, String account, String key, Ending ending) throws Exception;
}
