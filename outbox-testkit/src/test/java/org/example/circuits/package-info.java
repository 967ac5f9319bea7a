/** What Fault Tolerance remembers between two tests. */
package org.example.circuits;
