/** A persistence unit with a second-level cache: see {@code CachedEntitiesTest}. */
package org.example.cached;
