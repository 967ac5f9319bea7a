/** An application with a session bean, which only a server has. */
package org.example.sessions;
