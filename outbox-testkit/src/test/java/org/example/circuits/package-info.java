/** What Fault Tolerance must not remember between two tests. A change of that begins with {@code CircuitsTest}. */
package org.example.circuits;
