"""Values that travel between driver, executors and JVM. No I/O, no codecs, no Spark."""
