/**
 * Which package and which module may use which. A new package or a new dependency inside the library starts with
 * {@code ArchitectureTest}; a new module, a new library or another internal package in a module starts with
 * {@code ModulesTest}. What the code does is tested in the packages below.
 */
package io.outboxed;
