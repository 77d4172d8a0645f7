"""Paimon's binary structures, both ways: rows, arrays and maps to the byte. No I/O, no message versions, no Spark."""
