"""The questionnaire: matrix, answers and evidence, the score they give, the comparison of two scores."""
