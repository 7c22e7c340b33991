"""Rules of the assessment without framework: matrix, answers, evidence, score, gaps, comparison.

Plain values in, plain values out; no database, no clock, no network.
"""
