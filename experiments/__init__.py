"""Chaos experiments (steady state, inject, window, verdict). So far: the catalogue of signals they read."""
