/**
 * The test kit with handlers of batches. A change in how the kit calls them starts with {@code LinesTest};
 * {@code Lines} is the application, a projection that takes the events of an aggregate in batches.
 */
package org.example.lists;
