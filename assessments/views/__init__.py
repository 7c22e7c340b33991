"""Pages of the questionnaire, its results and comparison."""
