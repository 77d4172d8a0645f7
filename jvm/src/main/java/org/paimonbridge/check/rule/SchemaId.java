package org.paimonbridge.check.rule;

import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.Findings;

/** The schema of a file exists and is the one its writer was given; under another one, columns would silently read as null. */
public final class SchemaId implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        for (CheckedFile file : context.addedFiles()) {
            findings.checked(1);
            long schemaId = file.view().schemaId();
            if (!context.schema(schemaId).isPresent()) {
                findings.error(file, "The table has no schema " + schemaId + ".");
            } else if (!file.message().envelope().foreign() && schemaId != file.message().envelope().schemaId()) {
                findings.error(
                        file,
                        "The file says schema " + schemaId + ", its writer was given schema "
                                + file.message().envelope().schemaId() + ".");
            }
        }
    }
}
