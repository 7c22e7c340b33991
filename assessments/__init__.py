"""The maturity questionnaire: matrix, answers, evidence, scores, comparison."""
