/** Applications that the kit does not start. A change of what it refuses begins with {@code StartFailuresTest}. */
package org.example.refused;
