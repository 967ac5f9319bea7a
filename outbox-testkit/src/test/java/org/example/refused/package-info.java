/** Applications that the kit does not start. */
package org.example.refused;
