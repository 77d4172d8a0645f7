"""The driver side: class path, gateway, the Spark job, and the Bridge that users hold."""
