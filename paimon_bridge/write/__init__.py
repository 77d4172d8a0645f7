"""Rows become data files and the messages that describe them. Runs on executors: pyarrow and numpy, neither Spark nor a JVM."""
