package org.paimonbridge.twin;

import java.util.Collections;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.FileStoreTable;

/** For tests only: what people do to tables with Paimon Java, and what its snapshots say. */
public final class TableCare {

    private TableCare() {}

    public static void createBranch(String warehouse, String table, String branch, String tag) throws Exception {
        try (Catalog catalog = open(warehouse)) {
            catalog.getTable(Identifier.fromString(table)).createBranch(branch, tag);
        }
    }

    /** The snapshot that a tag keeps. */
    public static long tagged(String warehouse, String table, String tag) throws Exception {
        try (Catalog catalog = open(warehouse)) {
            return ((FileStoreTable) catalog.getTable(Identifier.fromString(table))).tagManager().getOrThrow(tag).id();
        }
    }

    static Catalog open(String warehouse) {
        return CatalogFactory.createCatalog(
                CatalogContext.create(Options.fromMap(Collections.singletonMap("warehouse", warehouse))));
    }
}
