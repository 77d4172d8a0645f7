package org.paimonbridge.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.schema.Schema;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.FormatTable;
import org.apache.paimon.table.Table;
import org.apache.paimon.table.object.ObjectTable;
import org.paimonbridge.error.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Paimon catalog, opened for one call: finds and makes tables, and says clearly why it cannot. */
public final class Tables implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Tables.class);

    // Values of the option "type" whose tables have snapshots; the first one is the default.
    private static final List<String> STORED_TYPES = Arrays.asList("table", "materialized-table");

    private final Catalog catalog;

    private Tables(Catalog catalog) {
        this.catalog = catalog;
    }

    public static Tables open(Map<String, String> catalogOptions) {
        Map<String, String> options = new LinkedHashMap<>(catalogOptions);
        // A cached table would answer with the snapshots and schemas of an earlier call.
        options.putIfAbsent("cache-enabled", "false");
        try {
            return new Tables(CatalogFactory.createCatalog(CatalogContext.create(Options.fromMap(options))));
        } catch (RuntimeException e) {
            throw Errors.catalog(e);
        }
    }

    public FileStoreTable load(String name) {
        Identifier identifier = identifier(name);
        Table table;
        try {
            table = catalog.getTable(identifier);
        } catch (Catalog.TableNotExistException e) {
            throw absent(name, identifier, e);
        } catch (RuntimeException e) {
            throw Errors.catalog(e);
        }
        return requireStored(name, identifier, table);
    }

    /** Makes the table, and its database if that is missing. Answers false where the table was there and may be. */
    public boolean create(String name, Schema schema, boolean ifNotExists) {
        Identifier identifier = identifier(name);
        String type = schema.options().getOrDefault("type", STORED_TYPES.get(0));
        if (!STORED_TYPES.contains(type)) {
            throw Errors.tableKind(name, "to be a " + type);
        }
        if (exists(identifier)) {
            if (ifNotExists) {
                return false;
            }
            throw Errors.tableExists(name);
        }
        try {
            catalog.createDatabase(identifier.getDatabaseName(), true);
        } catch (Catalog.DatabaseAlreadyExistException | RuntimeException e) {
            throw Errors.catalog(e);
        }
        try {
            catalog.createTable(identifier, schema, false);
            return true;
        } catch (Catalog.TableAlreadyExistException e) {
            // Somebody else was faster.
            if (ifNotExists) {
                return false;
            }
            throw Errors.tableExists(name);
        } catch (Catalog.DatabaseNotExistException e) {
            throw Errors.databaseNotFound(identifier.getDatabaseName(), e);
        } catch (RuntimeException e) {
            // Paimon's schema check throws exceptions of many kinds; what comes from the store below has an IOException in it.
            throw isFromStore(e) ? Errors.catalog(e) : Errors.badSchema(name, e);
        }
    }

    private static boolean isFromStore(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException || cause instanceof UncheckedIOException) {
                return true;
            }
        }
        return false;
    }

    private boolean exists(Identifier identifier) {
        try {
            catalog.getTable(identifier);
            return true;
        } catch (Catalog.TableNotExistException e) {
            return false;
        }
    }

    private RuntimeException absent(String name, Identifier identifier, Exception cause) {
        try {
            catalog.getDatabase(identifier.getDatabaseName());
        } catch (Catalog.DatabaseNotExistException e) {
            return Errors.databaseNotFound(identifier.getDatabaseName(), e);
        }
        try {
            catalog.getView(identifier);
            return Errors.tableKind(name, "a view");
        } catch (Catalog.ViewNotExistException | UnsupportedOperationException e) {
            return Errors.tableNotFound(name, cause);
        }
    }

    private static FileStoreTable requireStored(String name, Identifier identifier, Table table) {
        if (identifier.isSystemTable()) {
            throw Errors.tableKind(name, "a system table");
        }
        if (table instanceof FormatTable) {
            throw Errors.tableKind(name, "a format table (plain files)");
        }
        if (table instanceof ObjectTable) {
            throw Errors.tableKind(name, "an object table");
        }
        if (!(table instanceof FileStoreTable)) {
            throw Errors.tableKind(name, "of the kind " + table.getClass().getSimpleName());
        }
        return (FileStoreTable) table;
    }

    private static Identifier identifier(String name) {
        int dot = name.indexOf('.');
        if (dot <= 0 || dot == name.length() - 1) {
            throw Errors.badTableName(name);
        }
        return Identifier.create(name.substring(0, dot), name.substring(dot + 1));
    }

    /** The answer of the call is settled by now, and a catalog that does not close must not replace it. */
    @Override
    public void close() {
        try {
            catalog.close();
        } catch (Exception e) {
            LOG.warn("The catalog did not close", e);
        }
    }
}
