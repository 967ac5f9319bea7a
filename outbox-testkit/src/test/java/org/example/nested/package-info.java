/** Nested test classes, and parameters with qualifiers: see {@code NestedClassesTest}. */
package org.example.nested;
