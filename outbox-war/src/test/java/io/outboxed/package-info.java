/**
 * What applications can name beside {@code outbox-api}. A changed public type of the data source, the EJB jar or the
 * test kit starts with {@code ModulesPublicApiTest}, which says how to update {@code src/test/public-api.txt}. The
 * tests on real servers are in the packages below.
 */
package io.outboxed;
