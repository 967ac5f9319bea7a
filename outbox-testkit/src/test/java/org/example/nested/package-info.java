/** Nested test classes, and parameters with qualifiers. */
package org.example.nested;
