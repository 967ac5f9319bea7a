/**
 * The files of the servers under test. A change of how archives are unpacked starts with {@code ZipTest}.
 */
package io.outboxed.servers.files;
