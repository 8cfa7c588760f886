"""Files: written whole or not at all, tables, their preparation, the folder of a run."""
