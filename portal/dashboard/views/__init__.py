"""Home, help and the pages that join several apps."""
