"""The exact engine: a linear program that grows by cuts."""
