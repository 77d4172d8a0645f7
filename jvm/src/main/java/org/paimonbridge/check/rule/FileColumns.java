package org.paimonbridge.check.rule;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import org.apache.paimon.schema.TableSchema;
import org.apache.paimon.types.DataField;
import org.paimonbridge.check.Check;
import org.paimonbridge.check.CheckContext;
import org.paimonbridge.check.CheckedFile;
import org.paimonbridge.check.Findings;

/** The file has the columns of its schema, by their exact names, in types that Paimon reads as what they are. */
public final class FileColumns implements Check {

    @Override
    public void run(CheckContext context, Findings findings) {
        context.probes()
                .forEach(
                        (file, probe) -> {
                            Optional<TableSchema> schema = context.schema(file.view().schemaId());
                            if (!schema.isPresent() || !probe.columns().isPresent()) {
                                return;
                            }
                            findings.checked(1);
                            List<String> problems =
                                    probe.columns().get().problems(columns(file, schema.get()), !schema.get().primaryKeys().isEmpty());
                            for (String problem : problems) {
                                // Its rows would be read as something else, and every rule about them would complain.
                                file.distrust();
                                findings.error(file, problem);
                            }
                        });
    }

    /** The columns that the file must have. */
    static List<DataField> columns(CheckedFile file, TableSchema schema) {
        Optional<List<String>> written = file.view().writeColumns();
        return written.isPresent()
                ? schema.fields().stream().filter(field -> written.get().contains(field.name())).collect(Collectors.toList())
                : schema.fields();
    }
}
