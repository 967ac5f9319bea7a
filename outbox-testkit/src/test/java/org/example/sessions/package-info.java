/** An application that needs a server: {@code Counting} uses the session bean {@code Counter}. */
package org.example.sessions;
