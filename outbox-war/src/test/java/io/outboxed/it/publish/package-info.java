/** What a publisher can ask for beside the event itself, up to its handlers. */
package io.outboxed.it.publish;
