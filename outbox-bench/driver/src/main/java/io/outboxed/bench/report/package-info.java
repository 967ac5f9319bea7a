/** From figures to lines, tables, charts and the page. */
package io.outboxed.bench.report;
