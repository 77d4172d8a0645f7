package org.paimonbridge.twin;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.paimon.catalog.Catalog;
import org.apache.paimon.catalog.CatalogContext;
import org.apache.paimon.catalog.CatalogFactory;
import org.apache.paimon.catalog.Identifier;
import org.apache.paimon.options.Options;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.table.sink.CommitMessage;
import org.apache.paimon.table.sink.CommitMessageSerializer;
import org.apache.paimon.table.sink.TableCommitImpl;

/** For benchmarks only: the commit that believes its messages, which the gate and the commit behind it are measured by. */
public final class PlainCommit {

    private PlainCommit() {}

    /** Reads messages from a file, each behind its length, decodes them and commits them, checking nothing. */
    public static int commitFile(String warehouse, String table, String path, int version, String user) throws Exception {
        CommitMessageSerializer serializer = new CommitMessageSerializer();
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(Paths.get(path)));
        List<CommitMessage> messages = new ArrayList<>();
        while (bytes.hasRemaining()) {
            byte[] message = new byte[bytes.getInt()];
            bytes.get(message);
            messages.add(serializer.deserialize(version, message));
        }
        try (Catalog catalog =
                CatalogFactory.createCatalog(
                        CatalogContext.create(Options.fromMap(Collections.singletonMap("warehouse", warehouse))))) {
            FileStoreTable target = (FileStoreTable) catalog.getTable(Identifier.fromString(table));
            try (TableCommitImpl commit = target.newCommit(user)) {
                commit.commit(1, messages);
            }
        }
        return messages.size();
    }
}
