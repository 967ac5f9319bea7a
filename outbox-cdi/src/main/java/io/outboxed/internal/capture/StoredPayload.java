package io.outboxed.internal.capture;

/** A payload as its row holds it: exactly one of text and bytes is set; size in bytes of UTF-8 or as given. */
@SuppressWarnings("ArrayRecordComponent")
record StoredPayload(String text, byte[] bytes, int size) {}
