"""The questionnaire: its matrix, answers and evidence, the score they give, and the comparison of two scores."""
