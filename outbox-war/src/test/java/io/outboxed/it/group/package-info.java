/** Order within a handler group, in a server. */
package io.outboxed.it.group;
