package org.paimonbridge.check;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

import org.apache.paimon.shade.org.apache.parquet.format.FieldRepetitionType;
import org.apache.paimon.shade.org.apache.parquet.format.SchemaElement;

/** A node of a Parquet schema, which a footer stores as a list, children behind their parent. */
final class ParquetNode {

    private static final int MAX_DEPTH = 100;

    private final SchemaElement element;
    private final List<ParquetNode> children = new ArrayList<>();

    private ParquetNode(SchemaElement element) {
        this.element = element;
    }

    static ParquetNode root(List<SchemaElement> elements) {
        try {
            return read(elements.iterator(), 0);
        } catch (NoSuchElementException e) {
            throw new IllegalArgumentException("its schema ends early");
        }
    }

    private static ParquetNode read(Iterator<SchemaElement> elements, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException("its schema is nested too deeply");
        }
        ParquetNode node = new ParquetNode(elements.next());
        for (int i = 0; i < node.element.getNum_children(); i++) {
            node.children.add(read(elements, depth + 1));
        }
        return node;
    }

    String name() {
        return element.getName();
    }

    SchemaElement element() {
        return element;
    }

    List<ParquetNode> children() {
        return children;
    }

    Optional<ParquetNode> child(String name) {
        return children.stream().filter(child -> child.name().equals(name)).findFirst();
    }

    boolean group() {
        return !children.isEmpty();
    }

    boolean optional() {
        return element.getRepetition_type() == FieldRepetitionType.OPTIONAL;
    }

    boolean repeated() {
        return element.getRepetition_type() == FieldRepetitionType.REPEATED;
    }
}
