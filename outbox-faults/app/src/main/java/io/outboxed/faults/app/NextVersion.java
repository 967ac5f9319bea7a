package io.outboxed.faults.app;

/** What only the next version of the application has: only its WAR contains a bean of this type. */
public interface NextVersion {

    /** An event whose type the previous version does not know. */
    Object transferred(String account, long number, String id, HandlerFault fault);
}
