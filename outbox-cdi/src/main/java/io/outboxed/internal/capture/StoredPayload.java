package io.outboxed.internal.capture;

/** A payload as stored in its row: either text or bytes is set. The size is in bytes, for text those of UTF-8. */
@SuppressWarnings("ArrayRecordComponent")
record StoredPayload(String text, byte[] bytes, int size) {}
