/** An application whose projection takes the events of an aggregate in batches. */
package org.example.lists;
