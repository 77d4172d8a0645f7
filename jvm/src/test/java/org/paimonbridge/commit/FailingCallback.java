package org.paimonbridge.commit;

import java.util.List;

import org.apache.paimon.Snapshot;
import org.apache.paimon.manifest.ManifestCommittable;
import org.apache.paimon.manifest.ManifestEntry;
import org.apache.paimon.table.sink.CommitCallback;

/**
 * Throws after the snapshot exists. Its method has the signature of 1.0; newer releases call another one, which is absent here and
 * throws just as well.
 */
public final class FailingCallback implements CommitCallback {

    @Override
    public void call(List<ManifestEntry> committed, Snapshot snapshot) {
        throw new IllegalStateException("the callback fails");
    }

    @Override
    public void retry(ManifestCommittable committable) {
        throw new IllegalStateException("the callback fails");
    }

    @Override
    public void close() {}
}
