package org.example.cached;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.cache.cfg.spi.DomainDataRegionBuildingContext;
import org.hibernate.cache.cfg.spi.DomainDataRegionConfig;
import org.hibernate.cache.spi.support.DomainDataStorageAccess;
import org.hibernate.cache.spi.support.RegionFactoryTemplate;
import org.hibernate.cache.spi.support.StorageAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/** The smallest second-level cache that Hibernate accepts. */
public final class MapRegions extends RegionFactoryTemplate {

    private static final class MapAccess implements DomainDataStorageAccess {
        private final Map<Object, Object> entries = new ConcurrentHashMap<>();

        @Override
        public Object getFromCache(Object key, SharedSessionContractImplementor session) {
            return entries.get(key);
        }

        @Override
        public void putIntoCache(Object key, Object value, SharedSessionContractImplementor session) {
            entries.put(key, value);
        }

        @Override
        public boolean contains(Object key) {
            return entries.containsKey(key);
        }

        @Override
        public void evictData() {
            entries.clear();
        }

        @Override
        public void evictData(Object key) {
            entries.remove(key);
        }

        @Override
        public void release() {
            entries.clear();
        }
    }

    @Override
    protected DomainDataStorageAccess createDomainDataStorageAccess(
            DomainDataRegionConfig region, DomainDataRegionBuildingContext context) {
        return new MapAccess();
    }

    @Override
    protected StorageAccess createQueryResultsRegionStorageAccess(String name, SessionFactoryImplementor factory) {
        return new MapAccess();
    }

    @Override
    protected StorageAccess createTimestampsRegionStorageAccess(String name, SessionFactoryImplementor factory) {
        return new MapAccess();
    }

    @Override
    protected void prepareForUse(SessionFactoryOptions settings, Map<String, Object> configuration) {
        // nothing to prepare
    }

    @Override
    protected void releaseFromUse() {
        // nothing to release
    }
}
