/** What a server would bring, in this process: CDI, JTA, JNDI, persistence units, a database, and a relay that is stepped. */
package io.outboxed.internal.testkit.standalone;
