"""Near-duplicate page removal for crawls and data lakes, as a Spark job."""

__version__ = "0.1.0"
