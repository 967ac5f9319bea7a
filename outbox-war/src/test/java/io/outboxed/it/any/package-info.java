/** Handlers of any type, a failure classifier and a failure handler, in a server. */
package io.outboxed.it.any;
