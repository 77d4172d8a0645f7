package org.paimonbridge.check.scan;

import java.util.Optional;

import org.apache.paimon.data.InternalRow;
import org.paimonbridge.check.Rule;

/** Looks at every row of one file on behalf of one rule. */
interface RowWatch {

    Rule rule();

    void see(InternalRow row);

    /** What is wrong, once all rows were seen. */
    Optional<String> problem();
}
