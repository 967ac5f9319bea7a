/** An application that publishes while it starts. */
package org.example.startup;
