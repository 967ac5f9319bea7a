/** An application that publishes while it starts: see {@code PublishedAtTheStartTest}. */
package org.example.startup;
