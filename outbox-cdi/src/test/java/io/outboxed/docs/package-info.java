/**
 * The documents agree with the code: keys, metrics, log ids, links, versions and quoted examples.
 *
 * <p>A new setting starts with {@code ConfigurationPageTest}, a new metric with {@code MetricsPageTest}, a new log id
 * with {@code LogIdsPageTest}, and a new promise with {@code GuaranteesPageTest}. A new page or a renamed heading
 * starts with {@code LinksTest}, a new version of a library in docs/testing.md with {@code TestingPageTest}.
 * {@code TestPackagesTest} checks descriptions such as this one. Pages about another module have their test in that
 * module.
 */
package io.outboxed.docs;
