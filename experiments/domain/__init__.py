"""Rules of experiments and of the signals they read; no Django."""
