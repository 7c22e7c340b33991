"""The portal: it decides, records and shows. Each folder is one small Django app or a pure package."""
